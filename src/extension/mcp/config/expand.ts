import { basename, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import type { StringRecord } from './serverConfig.ts';

export interface ConfigVariables {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the first workspace folder. */
  readonly workspace: string | undefined;
  readonly home: string;
  /** Absolute path of the extension that contributes the server. */
  readonly extension: string | undefined;
  /** True for variables that configurations must not read. */
  readonly isClosed: (name: string) => boolean;
  /** Called for each `${input:…}`, which stays unexpanded. */
  readonly wantsInput: (id: string) => void;
}

/** A server's entry is unusable. The message is a clause for the user, such as "its command is empty". */
export class ServerEntryError extends Error {}

/**
 * @param missing handles an unset environment variable: `literal` keeps the text, since a `$` may be meant literally;
 * `refuse` throws, for texts that are useless without the value
 */
export function expandVariables(
  text: string,
  variables: ConfigVariables,
  missing: 'literal' | 'refuse',
): string {
  return text.replace(
    /\$\{([^{}]+)\}|\$([A-Za-z_]\w*)/g,
    (whole, braced: string | undefined, plain: string | undefined) => {
      const found = braced === undefined ? findVariable(plain!, variables) : findBraced(braced, variables);
      if (found !== undefined) return found;
      if (missing === 'refuse') throw new ServerEntryError(t('it uses {0}, which is not set', whole));
      return whole;
    },
  );
}

/** Inserts the user's answers. */
export function expandInputs(text: string, answers: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{input:([^{}]+)\}/g, (whole, id: string) => answers.get(id) ?? whole);
}

export function mapStrings(texts: StringRecord, change: (text: string, key: string) => string): StringRecord {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text, key)]));
}

function findBraced(name: string, variables: ConfigVariables): string | undefined {
  const { extension, home, wantsInput } = variables;
  switch (name) {
    case '/':
    case 'pathSeparator':
      return sep;
    case 'userHome':
      return home;
    case 'extensionPath':
    case 'CLAUDE_PLUGIN_ROOT':
      return extension ?? refuse(t('it uses ${{0}}, which no extension provides', name));
    case 'CLAUDE_PROJECT_DIR':
    case 'workspaceFolder':
    case 'workspacePath':
    case 'workspaceRoot':
      return workspaceOf(variables, name);
    case 'workspaceFolderBasename':
      return basename(workspaceOf(variables, name));
  }
  const [kind, rest] = splitOnce(name, ':');
  switch (rest === undefined ? undefined : kind) {
    case 'env':
      // VS Code replaces unset variables with nothing.
      return findVariable(rest!, variables) ?? '';
    case 'input':
      wantsInput(rest!);
      return `\${${name}}`;
    case 'config':
    case 'command':
      return refuse(t('it uses ${{0}}, which Folio does not support', name));
  }
  if (rest?.startsWith('-')) return findVariable(kind, variables) || rest.slice(1);
  return findVariable(name, variables);
}

function workspaceOf({ workspace }: ConfigVariables, name: string): string {
  return workspace ?? refuse(t('it uses ${{0}}, but no folder is open', name));
}

function findVariable(name: string, { env, isClosed }: ConfigVariables): string | undefined {
  if (isClosed(name)) refuse(t('it uses {0}, a key of Folio, which workspaces cannot use', name));
  return env[name];
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function refuse(why: string): never {
  throw new ServerEntryError(why);
}
