/* A web search by a command from the user's settings. */

import { t } from '../../../protocol/language.ts';
import type { Citation } from '../../../protocol/values.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { cutMiddle, oneLine } from '../../base/text.ts';
import { fillShellPlaceholders } from '../../core/commands/template/quoteArgument.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { HookExit, HookProcesses } from '../../platform/customizations/hooks.ts';

export interface CommandSearchPorts {
  /** A shell command line with `{query}`; empty without one. */
  readonly command: () => string;
  readonly processes: Pick<HookProcesses, 'run'> | undefined;
  /** As Node names it. */
  readonly platform: string;
  /** Absolute; resolves to `undefined` without a folder. */
  readonly folder: () => Promise<string | undefined>;
}

export interface SearchFindings {
  readonly text: string;
  readonly citations: readonly Citation[];
}

const timeoutMs = 30_000;
/** Characters of results for the model. */
const textLimit = 20_000;

/** Returns `undefined` if the settings have no command. Rejects with a `ToolFailure`, or with the signal's reason. */
export async function searchByCommand(
  { command, processes, platform, folder }: CommandSearchPorts,
  query: string,
  signal: AbortSignal,
): Promise<SearchFindings | undefined> {
  const line = command();
  if (line === '' || processes === undefined) return undefined;
  if (!line.includes('{query}'))
    throw new ToolFailure(() => t('The setting folio.webSearchCommand has no {0}.', '{query}'));
  const filled = fillShellPlaceholders(line, { query }, platform);
  if (filled.kind === 'refused') {
    const { why } = filled;
    throw new ToolFailure(() => t('The search was not run, since its query {0}.', why()));
  }
  const exit = await processes.run(
    { command: filled.text, cwd: (await folder()) ?? process.cwd(), env: {}, input: '', timeoutMs },
    signal,
  );
  signal.throwIfAborted();
  return parseFound(outputOf(exit));
}

function outputOf(exit: HookExit): string {
  if (exit.kind === 'ended' && exit.code === 0) return exit.stdout;
  throw new ToolFailure(() => t('The command of folio.webSearchCommand failed: {0}', reasonOf(exit)));
}

function reasonOf(exit: HookExit): string {
  switch (exit.kind) {
    case 'ended':
      return oneLine(exit.stderr || exit.stdout, 200) || t('Exit code {0}', exit.code);
    case 'timedOut':
      return t('It was ended after {0} seconds.', timeoutMs / 1000);
    case 'failed':
      return exit.message;
    case 'stopped':
      return t('Ended');
  }
}

/** Parses JSON of common programs and services, or text with addresses. */
function parseFound(output: string): SearchFindings {
  const hits = readHits(output);
  if (hits.length === 0) {
    const uris = new Set(output.match(/https?:\/\/[^\s<>"'`)\]]+/g));
    return { text: cutMiddle(output.trim(), textLimit), citations: [...uris].map(uri => ({ uri })) };
  }
  const text = hits
    .map(({ title, uri, words }) => [title, uri, words].filter(Boolean).join('\n'))
    .join('\n\n');
  return { text: cutMiddle(text, textLimit), citations: hits.map(({ uri, title }) => ({ uri, title })) };
}

interface Hit {
  readonly uri: string;
  readonly title: string | undefined;
  readonly words: string | undefined;
}

/** Returns no hits for plain text, which is a valid answer. */
function readHits(output: string): readonly Hit[] {
  return hitsIn(tryParseJson(output), 0);
}

/** Services nest their list below one or two keys, such as `web.results`. */
function hitsIn(value: unknown, depth: number): readonly Hit[] {
  if (Array.isArray(value)) return value.flatMap(each => hitOf(each) ?? []);
  if (!isRecord(value) || depth > 2) return [];
  for (const inner of Object.values(value)) {
    const hits = hitsIn(inner, depth + 1);
    if (hits.length > 0) return hits;
  }
  return [];
}

function hitOf(value: unknown): Hit | undefined {
  if (!isRecord(value)) return undefined;
  const text = (...names: readonly string[]) =>
    names.map(name => value[name]).find((each): each is string => typeof each === 'string' && each !== '');
  const uri = text('url', 'link', 'href', 'uri');
  if (uri === undefined || !/^https?:\/\//.test(uri)) return undefined;
  return {
    uri,
    title: text('title', 'name'),
    words: text('abstract', 'snippet', 'description', 'content', 'text'),
  };
}
