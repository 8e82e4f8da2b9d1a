/* From files to the single things in them: a settings file may name many servers, the others are one each. */

import { isRecord } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import type { CustomFile, CustomFileKind } from '../../platform/customFiles.ts';
import type { Customization } from './customization.ts';

export interface SplitFiles {
  readonly items: readonly Customization[];
  /** A sentence about each entry that cannot be used. */
  readonly problems: readonly string[];
}

export function splitFiles(files: readonly CustomFile[]): SplitFiles {
  const problems: string[] = [];
  const items = files
    .filter(({ problem }) => problem === undefined)
    .flatMap(file => split(file, sentence => problems.push(sentence)));
  return { items, problems };
}

const detailLength = 200;

function split(file: CustomFile, complain: (sentence: string) => void): readonly Customization[] {
  const { kind: format, name, origin, path, text } = file;
  const whole = { name, origin, path, format, text };
  switch (format) {
    case 'toml':
    case 'markdown':
      return [{ ...whole, kind: 'command', detail: firstLine(text) }];
    case 'agent':
      return [{ ...whole, kind: 'agent', detail: firstLine(text) }];
    case 'skill':
      return [{ ...whole, kind: 'skill', detail: firstLine(text) }];
    case 'settings':
    case 'servers':
    case 'manifest':
      return splitSettings(file, complain);
  }
}

/** Of a text with frontmatter its description; else the first line that says something. */
function firstLine(text: string): string {
  const described = /^\s*description\s*[:=]\s*["']?(.+?)["']?\s*$/m.exec(text)?.[1];
  const line = text.split('\n').find(each => /\p{L}/u.test(each));
  return oneLine(described ?? line ?? '', detailLength);
}

/** Where each kind of file names its servers. */
const serverKeys: Partial<Record<CustomFileKind, string>> = {
  settings: 'mcpServers',
  servers: 'servers',
  manifest: 'mcpServers',
};

function splitSettings(file: CustomFile, complain: (sentence: string) => void): readonly Customization[] {
  const { kind: format, origin, path } = file;
  const content: unknown = JSON.parse(file.text);
  if (!isRecord(content)) {
    complain(`${path} holds no object, so nothing of it is used.`);
    return [];
  }
  const base = { origin, path, format, text: '' };
  const extension: Customization[] =
    format === 'manifest'
      ? [{ ...base, kind: 'extension', name: file.name, detail: describeManifest(content), value: content }]
      : [];
  const servers = content[serverKeys[format]!];
  if (servers !== undefined && !isRecord(servers)) complain(`The servers of ${path} are no object.`);
  const entries = isRecord(servers) ? Object.entries(servers) : [];
  return [
    ...extension,
    ...entries.map(([name, value]) => ({
      ...base,
      ...{ kind: 'server' as const, name, value },
      ...describeServer(value),
    })),
    ...discovered(content, base),
  ];
}

function describeManifest({ description, version }: Readonly<Record<string, unknown>>): string {
  const said = [version, description].filter(each => typeof each === 'string');
  return oneLine(said.join(' · '), detailLength);
}

function describeServer(value: unknown): Pick<Customization, 'detail' | 'command'> {
  if (!isRecord(value)) return { detail: '' };
  const { command, args, url, httpUrl } = value;
  if (typeof command === 'string') {
    const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
    return { detail: oneLine(words.join(' '), detailLength), command: words.join(' ') };
  }
  const address = httpUrl ?? url;
  return { detail: typeof address === 'string' ? oneLine(address, detailLength) : '' };
}

/** Programs that list further tools and run them. */
function discovered(
  content: Readonly<Record<string, unknown>>,
  base: Pick<Customization, 'origin' | 'path' | 'format' | 'text'>,
): readonly Customization[] {
  const tools = content.tools;
  if (base.format !== 'settings' || !isRecord(tools)) return [];
  const { discoveryCommand, callCommand } = tools;
  if (typeof discoveryCommand !== 'string') return [];
  const command = typeof callCommand === 'string' ? `${discoveryCommand}\n${callCommand}` : discoveryCommand;
  const detail = oneLine(discoveryCommand, detailLength);
  return [
    {
      ...base,
      ...{ kind: 'tools' as const, name: 'discovered tools', detail, command },
      value: { discoveryCommand, callCommand },
    },
  ];
}
