/* Reads Git's configuration without Git, which may not be installed and needs a process per query. */

import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { readSmallFile } from '../files/readSmallFile.ts';
import { findHome } from '../homeFolder.ts';

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

export interface GitFolders {
  /** The folder of this working tree. */
  readonly own: string;
  /** Shared by all working trees of the repository. Equals `own` if there is only one. */
  readonly common: string;
}

/** Values by lower-case name, such as `core.excludesfile`. The last one wins. */
type GitConfig = ReadonlyMap<string, string>;

/** Git follows no longer chain of includes, so it must be a cycle. */
const deepest = 10;

/** @param folders omitted outside of a repository */
export function readGitConfig(folders: GitFolders | undefined, env: GitEnvironment): GitConfig {
  const values = new Map<string, string>();
  const reader = new ConfigReader(values, folders, env);
  for (const file of [...systemFiles(env), ...userFiles(env)]) reader.read(file);
  if (folders) reader.read(join(folders.common, 'config'));
  if (folders && isGitTrue(values.get('extensions.worktreeconfig'))) {
    reader.read(join(folders.own, 'config.worktree'));
  }
  return values;
}

export function isGitTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|[1-9]\d*)$/i.test(value);
}

/** The folder of the user's own settings. */
export function configHome(env: GitEnvironment): string | undefined {
  const home = homeOf(env);
  return env.XDG_CONFIG_HOME || (home && join(home, '.config'));
}

/** Expands `~/x`. Returns `undefined` for another user's home. */
export function expandHome(path: string, env: GitEnvironment): string | undefined {
  if (!path.startsWith('~')) return path;
  const home = homeOf(env);
  return home !== undefined && /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : undefined;
}

function homeOf(env: GitEnvironment): string | undefined {
  return env.HOME || findHome();
}

/** The default places of Git on each system. */
function systemFiles(env: GitEnvironment): readonly string[] {
  if (isGitTrue(env.GIT_CONFIG_NOSYSTEM)) return [];
  if (env.GIT_CONFIG_SYSTEM !== undefined) return [env.GIT_CONFIG_SYSTEM];
  if (process.platform !== 'win32') {
    return ['/opt/homebrew/etc/gitconfig', '/usr/local/etc/gitconfig', '/etc/gitconfig'];
  }
  return [env.PROGRAMFILES].flatMap(folder => (folder ? [join(folder, 'git', 'etc', 'gitconfig')] : []));
}

function userFiles(env: GitEnvironment): readonly string[] {
  if (env.GIT_CONFIG_GLOBAL !== undefined) return [env.GIT_CONFIG_GLOBAL];
  const [config, home] = [configHome(env), homeOf(env)];
  return [config && join(config, 'git', 'config'), home && join(home, '.gitconfig')].filter(
    file => file !== undefined,
  );
}

class ConfigReader {
  private readonly values: Map<string, string>;
  private readonly folders: GitFolders | undefined;
  private readonly env: GitEnvironment;

  constructor(values: Map<string, string>, folders: GitFolders | undefined, env: GitEnvironment) {
    this.values = values;
    this.folders = folders;
    this.env = env;
  }

  read(file: string, depth = 0): void {
    const text = isAbsolute(file) && depth <= deepest ? readSmallFile(file) : undefined;
    for (const { section, condition, key, value } of parseConfig(text ?? '')) {
      const name = condition === undefined ? `${section}.${key}` : `${section}.${condition}.${key}`;
      this.values.set(name, value);
      const isWanted =
        name === 'include.path' || (section === 'includeif' && key === 'path' && this.holds(condition, file));
      const path = isWanted ? expandHome(value, this.env) : undefined;
      if (path !== undefined) this.read(resolve(dirname(file), path), depth + 1);
    }
  }

  private holds(condition: string | undefined, file: string): boolean {
    const [, kind, pattern = ''] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition ?? '') ?? [];
    if (kind === undefined || this.folders === undefined) return false;
    if (kind === 'onbranch') {
      const [, branch] =
        /^ref: refs\/heads\/(.+)/.exec(readSmallFile(join(this.folders.own, 'HEAD')) ?? '') ?? [];
      return branch !== undefined && matches(pattern, branch, false);
    }
    const place = expandHome(pattern, this.env)?.replace(/^\.(?=\/)/, () => dirname(file));
    if (place === undefined) return false;
    const whole = isAbsolute(place) ? place : `**/${place}`;
    return [this.folders.own, realPathOrSameSync(this.folders.own)].some(folder =>
      matches(slashes(whole), slashes(folder), kind === 'gitdir/i'),
    );
  }
}

function matches(pattern: string, text: string, nocase: boolean): boolean {
  return picomatch.isMatch(text, pattern.endsWith('/') ? `${pattern}**` : pattern, { dot: true, nocase });
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

export function realPathOrSameSync(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

interface Entry {
  /** Lower case, like keys. */
  readonly section: string;
  /** The quoted part of a section's name. */
  readonly condition: string | undefined;
  readonly key: string;
  /** A name without a value means true. */
  readonly value: string;
}

function* parseConfig(text: string): Generator<Entry> {
  const lines = text.split(/\r?\n/);
  let section = '';
  let condition: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at]!;
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head) {
      section = head[1]!.toLowerCase();
      condition = head[2]?.replace(/\\(.)/g, '$1');
      line = line.slice(head[0].length);
    }
    const [, key, given] = /^\s*([a-z][\w-]*)\s*(?:=(.*))?/is.exec(line) ?? [];
    if (key === undefined) continue;
    let raw = given;
    while (raw !== undefined && /(?:^|[^\\])(?:\\\\)*\\$/.test(raw) && at + 1 < lines.length) {
      raw = raw.slice(0, -1) + lines[++at]!;
    }
    yield { section, condition, key: key.toLowerCase(), value: raw === undefined ? 'true' : readValue(raw) };
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Removes quotes, escapes, comments, and surrounding white space. */
function readValue(raw: string): string {
  let value = '';
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < raw.length; at++) {
    const letter = raw[at]!;
    if (letter === '"') {
      isQuoted = !isQuoted;
      kept = value.length;
    } else if (letter === '\\') {
      const next = raw[++at] ?? '';
      value += escapes[next] ?? next;
      kept = value.length;
    } else if (!isQuoted && (letter === '#' || letter === ';')) break;
    else if (isQuoted || !/\s/.test(letter)) {
      value += letter;
      kept = value.length;
    } else if (value !== '') value += letter;
  }
  return value.slice(0, kept);
}
