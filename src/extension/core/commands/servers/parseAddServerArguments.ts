/* Parses the arguments of `/mcp add` and `/mcp remove`, with the usual options of command lines. */

import { t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import type { ServerEntries, ServerScope } from '../../../platform/customizations/serverFiles.ts';
import { CommandError } from '../../commandError.ts';
import { splitWords } from '../template/words.ts';

export interface AddServerRequest {
  readonly place?: ServerScope;
  readonly name: string;
  readonly entry: ServerEntries;
  /** Saves without starting it first. */
  readonly unchecked: boolean;
}

const shortNames: Readonly<Record<string, string>> = {
  '-s': '--scope',
  '-t': '--transport',
  '-e': '--env',
  '-H': '--header',
};
const withValue = new Set([
  '--scope',
  '--transport',
  '--env',
  '--header',
  '--timeout',
  '--description',
  '--include-tools',
  '--exclude-tools',
]);
const flags = new Set(['--trust', '--unchecked']);

const places: Readonly<Record<string, ServerScope>> = {
  user: 'person',
  person: 'person',
  project: 'workspace',
  workspace: 'workspace',
};

export function parseAddServerArguments(argument: string): AddServerRequest {
  const { options, rest } = readOptions(splitWords(argument));
  const [name, target, ...args] = rest;
  if (name === undefined || target === undefined)
    throw new CommandError(
      t(
        'Add a name, then a command with its arguments or an address: /mcp add NAME COMMAND, or /mcp add NAME ADDRESS.',
      ),
    );
  const fault = findNameFault(name);
  if (fault !== undefined) throw new CommandError(fault);
  const place = parsePlace(options.get('--scope')?.at(-1));
  const entry = { ...parseSource(target, args, options), ...parseMore(options) };
  return { place, name, entry, unchecked: options.has('--unchecked') };
}

/** Parses `NAME [--scope user|project]`. */
export function parseRemoval(argument: string): { readonly name: string; readonly place?: ServerScope } {
  const found = readOptions(splitWords(argument));
  const [name, ...others] = found.rest;
  if (name === undefined || others.length > 0) throw new CommandError(t('Add a name: /mcp remove NAME.'));
  return { name, place: parsePlace(found.options.get('--scope')?.at(-1)) };
}

/** Returns a sentence for an invalid server name. */
export function findNameFault(name: string): string | undefined {
  if (/^[A-Za-z0-9][\w.-]{0,59}$/.test(name)) return undefined;
  return t('“{0}” cannot name a server: use letters, digits, “.”, “-” and “_”.', oneLine(name, 40));
}

/** Recognises a URL by its beginning. */
export function looksLikeUrl(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

type Options = ReadonlyMap<string, readonly string[]>;

/** Known options count before `--`. Anything else that begins with a hyphen is an argument of the program. */
function readOptions(words: readonly string[]): {
  readonly options: Options;
  readonly rest: readonly string[];
} {
  const options = new Map<string, string[]>();
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') return { options, rest: [...rest, ...words.slice(at + 1)] };
    const [, long, inline] = /^(--[a-z-]+)=([\s\S]*)$/.exec(word) ?? [];
    const name = shortNames[word] ?? long ?? word;
    if (flags.has(name) && inline === undefined) options.set(name, []);
    else if (withValue.has(name)) {
      const value = inline ?? words[++at];
      if (value === undefined) throw new CommandError(t('{0} needs a value.', word));
      options.set(name, [...(options.get(name) ?? []), value]);
    } else rest.push(word);
  }
  return { options, rest };
}

function parsePlace(scope: string | undefined): ServerScope | undefined {
  if (scope === undefined || Object.hasOwn(places, scope)) return places[scope ?? ''];
  throw new CommandError(t('--scope takes user or project, not {0}.', oneLine(scope, 40)));
}

function parseSource(target: string, args: readonly string[], options: Options): ServerEntries {
  const wanted = options.get('--transport')?.at(-1);
  const transport = wanted ?? (looksLikeUrl(target) ? 'http' : 'stdio');
  const env = options.get('--env') ?? [];
  const headers = options.get('--header') ?? [];
  switch (transport) {
    case 'stdio': {
      if (headers.length > 0)
        throw new CommandError(t('--header is for servers that have an address: use --env here.'));
      const variables = parsePairs(env, '=', wrong =>
        t('--env takes NAME=VALUE. Value {0} is not in this form.', wrong),
      );
      return withoutEmpty({ command: target, args, env: variables });
    }
    case 'http':
    case 'sse': {
      if (!looksLikeUrl(target))
        throw new CommandError(
          t('{0} is not an address: it must begin with http:// or https://.', oneLine(target, 80)),
        );
      if (args.length > 0)
        throw new CommandError(t('Nothing can follow the address: {0}.', oneLine(args.join(' '), 60)));
      if (env.length > 0) throw new CommandError(t('--env is for programs: use --header here.'));
      const sent = parsePairs(headers, ':', wrong =>
        t('--header takes "NAME: VALUE". Value {0} is not in this form.', wrong),
      );
      return withoutEmpty({ url: target, type: transport, headers: sent });
    }
    default:
      throw new CommandError(t('--transport takes stdio, http or sse, not {0}.', oneLine(transport, 40)));
  }
}

function parsePairs(
  pairs: readonly string[],
  separator: string,
  describeFault: (number: number) => string,
): Readonly<Record<string, string>> {
  const entries = pairs.map(pair => {
    const at = pair.indexOf(separator);
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const;
  });
  const wrong = entries.findIndex(([name]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  // The value may be a secret, so the message contains only the name.
  if (wrong >= 0) throw new CommandError(describeFault(wrong + 1));
  return Object.fromEntries(entries);
}

function parseMore(options: Options): ServerEntries {
  const [timeout] = options.get('--timeout')?.slice(-1) ?? [];
  if (timeout !== undefined && !/^[1-9]\d{0,8}$/.test(timeout))
    throw new CommandError(t('--timeout takes a number of milliseconds, not {0}.', oneLine(timeout, 40)));
  const lists = (name: string) =>
    options.get(name)?.flatMap(list =>
      list
        .split(',')
        .map(each => each.trim())
        .filter(Boolean),
    );
  const all = {
    timeout: timeout === undefined ? undefined : Number(timeout),
    trust: options.has('--trust') ? true : undefined,
    description: options.get('--description')?.at(-1),
    includeTools: lists('--include-tools'),
    excludeTools: lists('--exclude-tools'),
  };
  return withoutEmpty(all);
}

/** Omits empty members, since people also read the file. */
function withoutEmpty(entry: ServerEntries): ServerEntries {
  const says = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined;
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => says(value)));
}
