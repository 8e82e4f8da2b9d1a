/* Splits files into single customizations: a settings file may define many servers, other files define one each. */

import { t } from '../../../../protocol/language.ts';
import { maskSecrets, namesSecret } from '../../../base/maskSecrets.ts';
import { isRecord } from '../../../base/record.ts';
import { headOf, oneLine } from '../../../base/text.ts';
import type { CustomFile, CustomFileKind } from '../../../platform/customizations/customFiles.ts';
import { describeSandboxEntry } from '../../../platform/customizations/sandboxEntry.ts';
import { normaliseServerEntry, withUsedInputs } from '../../../platform/customizations/serverEntry.ts';
import { findSettingValue } from '../../../platform/findSetting.ts';
import type { Customization } from './customization.ts';
import { toSettingsCustomizations } from './workspaceSettings.ts';

export interface SplitCustomizations {
  readonly items: readonly Customization[];
  /** One sentence for each entry that cannot be used. */
  readonly problems: readonly string[];
}

export function splitIntoCustomizations(files: readonly CustomFile[]): SplitCustomizations {
  const problems: string[] = [];
  const items = files
    .filter(({ problem }) => problem === undefined)
    .flatMap(file => split(file, sentence => problems.push(sentence)));
  return { items, problems };
}

const detailLength = 200;
/** A description is near the top. */
const maxLines = 2000;
/** A longer program is rejected, since users must see all of what they consent to. */
const maxProgramLength = 4000;
const maxServers = 200;

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

/** Returns the description in the frontmatter, or the first line of text. */
function firstLine(text: string): string {
  // Cuts lines first, since patterns on long text can take minutes.
  const lines = text.split('\n', maxLines).map(line => headOf(line, detailLength * 2).trim());
  const described = lines.find(line => /^description\s*[:=]/.test(line));
  const line = described?.replace(/^description\s*[:=]\s*["']?/, '').replace(/["']$/, '');
  return oneLine(line || (lines.find(each => /\p{L}/u.test(each)) ?? ''), detailLength);
}

const serverKeys: Partial<Record<CustomFileKind, string>> = {
  settings: 'mcpServers',
  servers: 'servers',
  manifest: 'mcpServers',
};

function splitSettings(file: CustomFile, complain: (sentence: string) => void): readonly Customization[] {
  const { kind: format, origin, path, content } = file;
  if (!isRecord(content)) {
    complain(t('{0} contains no object, so it is ignored.', path));
    return [];
  }
  const base = { origin, path, format, text: '' };
  const extension: Customization[] =
    format === 'manifest'
      ? [{ ...base, kind: 'extension', name: file.name, detail: describeManifest(content), value: content }]
      : [];
  const servers = serversOf(content, file);
  if (servers !== undefined && !isRecord(servers)) complain(t('The servers of {0} are not an object.', path));
  const entries = isRecord(servers) ? Object.entries(servers) : [];
  if (entries.length > maxServers)
    complain(t('{0} names {1} servers, of which the first {2} are used.', path, entries.length, maxServers));
  const items: readonly Customization[] = [
    ...extension,
    ...entries.slice(0, maxServers).map(([name, value]) => ({
      ...base,
      kind: 'server' as const,
      name,
      value: withUsedInputs(value, content.inputs),
      ...describeServer(value),
    })),
    ...discovered(content, base),
    ...toSettingsCustomizations(content, file, complain),
  ];
  return items.filter(({ name, detail, origin: { kind } }) => {
    const isShown = kind !== 'workspace' || detail.length + name.length <= maxProgramLength;
    if (!isShown) complain(t('{0}: {1} is too long to review, so it is ignored.', path, oneLine(name, 80)));
    return isShown;
  });
}

/** Two programs use the same file name with different keys for their servers. */
function serversOf(content: Readonly<Record<string, unknown>>, { kind, path }: CustomFile): unknown {
  const isShared = kind === 'servers' || /\.mcp\.json$/.test(path);
  return content[serverKeys[kind]!] ?? (isShared ? (content.servers ?? content.mcpServers) : undefined);
}

function describeManifest({ description, version }: Readonly<Record<string, unknown>>): string {
  const said = [version, description].filter(each => typeof each === 'string');
  return oneLine(said.join(' · '), detailLength);
}

type Described = Pick<Customization, 'detail' | 'command' | 'cwd'>;

/** Describes everything that determines what starts or where data is sent, in the order of `parseServer`. */
function describeServer(value: unknown): Described {
  if (!isRecord(value)) return { detail: '' };
  const { command, type, url, httpUrl, headers, oauth } = normaliseServerEntry(value);
  if (typeof command === 'string' && (type === undefined || String(type).toLowerCase() === 'stdio'))
    return describeProgram(command, value);
  const signIn = isRecord(oauth) ? [oauth.issuer, oauth.authorizationUrl, oauth.tokenUrl] : [];
  const more = [
    ...textsOf(headers).map(([name, text]) => `${name}: ${maskSecrets(text)}`),
    ...signIn.filter(each => typeof each === 'string').map(each => `sign-in at ${each}`),
  ];
  return { detail: joined([httpUrl ?? url, ...more]) };
}

function describeProgram(
  command: string,
  { args, cwd, env, envFile, sandbox }: Readonly<Record<string, unknown>>,
): Described {
  const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
  const variables = textsOf(env);
  const detail = joined([
    words.map(quoted).join(' '),
    ...(typeof cwd === 'string' ? [`in ${quoted(cwd)}`] : []),
    ...variables.map(
      ([name, text]) => `${name}=${namesSecret(name) && !text.includes('$') ? '…' : quoted(text)}`,
    ),
    ...(typeof envFile === 'string' ? [`variables of ${quoted(envFile)}`] : []),
    describeSandboxEntry(sandbox),
  ]);
  // Variables may name programs, too, as in `NODE_OPTIONS`.
  const named = [
    ...words,
    ...variables.map(([, text]) => text),
    ...(typeof envFile === 'string' ? [envFile] : []),
  ];
  return { detail, command: named.join('\n'), cwd: typeof cwd === 'string' ? cwd : undefined };
}

function textsOf(value: unknown): readonly (readonly [string, string])[] {
  return isRecord(value) ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [];
}

/** Quotes unusual arguments, so that none looks like several, or like the text after them. */
function quoted(word: string): string {
  return /^[^\s"'\\·]+$/.test(word) ? word : JSON.stringify(word);
}

function joined(parts: readonly unknown[]): string {
  return parts.filter(part => typeof part === 'string').join(' · ');
}

/** Programs that list and run additional tools. */
function discovered(
  content: Readonly<Record<string, unknown>>,
  base: Pick<Customization, 'origin' | 'path' | 'format' | 'text'>,
): readonly Customization[] {
  if (base.format !== 'settings') return [];
  const discoveryCommand = findSettingValue(content, 'tools.discoveryCommand');
  const callCommand = findSettingValue(content, 'tools.callCommand');
  if (typeof discoveryCommand !== 'string') return [];
  const command = typeof callCommand === 'string' ? `${discoveryCommand}\n${callCommand}` : discoveryCommand;
  const sandbox = findSettingValue(content, 'tools.discoverySandbox');
  const detail = joined([discoveryCommand, callCommand, describeSandboxEntry(sandbox)]);
  return [
    {
      ...base,
      kind: 'tools' as const,
      name: 'discovered tools',
      detail,
      command,
      value: { discoveryCommand, callCommand, sandbox },
    },
  ];
}
