/* Variables in the texts of a configuration. */

import { basename, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import type { Texts } from './serverConfig.ts';

export interface Variables {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; the first folder of the workspace. */
  readonly workspace: string | undefined;
  readonly home: string;
  /** Absolute; of the extension that brings the server. */
  readonly extension: string | undefined;
  /** May not be read here, whatever the environment holds. */
  readonly isClosed: (name: string) => boolean;
  /** Notified of each `${input:…}`, which stays as it is. */
  readonly wantsInput: (id: string) => void;
}

/** The message is a sentence for the user. */
export class UnclearText extends Error {}

/**
 * `missing`: what a variable of the environment that is not set becomes. `literal` leaves it, since a `$` may be
 * meant as such; `refuse` is for texts that say nothing without it.
 */
export function expand(text: string, variables: Variables, missing: 'literal' | 'refuse'): string {
  return text.replace(
    /\$\{([^{}]+)\}|\$([A-Za-z_]\w*)/g,
    (whole, braced: string | undefined, plain: string | undefined) => {
      const found = braced === undefined ? findVariable(plain!, variables) : findBraced(braced, variables);
      if (found !== undefined) return found;
      if (missing === 'refuse') throw new UnclearText(t('it uses {0}, which is not set', whole));
      return whole;
    },
  );
}

/** Puts in what the user answered. */
export function expandInputs(text: string, answers: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{input:([^{}]+)\}/g, (whole, id: string) => answers.get(id) ?? whole);
}

export function mapTexts(texts: Texts, change: (text: string, key: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text, key)]));
}

function findBraced(name: string, variables: Variables): string | undefined {
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
      // VS Code puts nothing in the place of what is not set.
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

function workspaceOf({ workspace }: Variables, name: string): string {
  return workspace ?? refuse(t('it uses ${{0}}, but no folder is open', name));
}

function findVariable(name: string, { env, isClosed }: Variables): string | undefined {
  if (isClosed(name)) refuse(t('it uses {0}, a key of Folio, which workspaces cannot use', name));
  return env[name];
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function refuse(why: string): never {
  throw new UnclearText(why);
}
