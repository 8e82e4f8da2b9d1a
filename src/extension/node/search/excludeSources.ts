/* Git's own exclude files, besides the `.gitignore` of each folder. */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSmallFile } from '../files/readSmallFile.ts';
import {
  configHome,
  expandHome,
  type GitEnvironment,
  type GitFolders,
  isGitTrue,
  readGitConfig,
} from './gitConfig.ts';

interface ExcludeSources {
  /** Absolute paths. Rules are relative to the top of the working tree, and later files take precedence. */
  readonly files: readonly string[];
  /** The one that belongs to the user. */
  readonly user: string | undefined;
  readonly ignoreCase: boolean;
}

/**
 * The user's `core.excludesFile`, then the repository's `info/exclude`, which its worktrees share.
 * @param top of a working tree, which contains `.git`; omitted outside of a repository
 */
export function findExcludeSources(top: string | undefined, env: GitEnvironment): ExcludeSources {
  const folders = top === undefined ? undefined : findGitFolders(top);
  const config = readGitConfig(folders, env);
  const user = userExcludes(config.get('core.excludesfile'), top, env);
  const files = [user, folders && join(folders.common, 'info', 'exclude')];
  return {
    files: files.filter(file => file !== undefined),
    user,
    ignoreCase: isGitTrue(config.get('core.ignorecase')),
  };
}

/** An empty setting disables the default. */
function userExcludes(
  setting: string | undefined,
  top: string | undefined,
  env: GitEnvironment,
): string | undefined {
  if (setting !== undefined) {
    const path = setting === '' ? undefined : expandHome(setting, env);
    return path === undefined ? undefined : resolve(top ?? '/', path);
  }
  const config = configHome(env);
  return config && join(config, 'git', 'ignore');
}

/** In a worktree or submodule, `.git` is a file that names the folder. */
function findGitFolders(top: string): GitFolders | undefined {
  const git = join(top, '.git');
  const isFolder = statSync(git, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const [, leads] = isFolder ? [] : (/^gitdir: (.+?)\r?\n?$/s.exec(readSmallFile(git) ?? '') ?? []);
  if (!isFolder && leads === undefined) return undefined;
  const own = leads === undefined ? git : resolve(top, leads);
  const common = readSmallFile(join(own, 'commondir'))?.trim();
  return { own, common: common ? resolve(own, common) : own };
}
