import { join, relative } from 'node:path';
import type { Worktree } from '../../../protocol/worktree.ts';
import { contains } from '../folderPaths.ts';

/** Where the folders of a workspace lie in its worktree. Those outside of the repository have no place there. */
export function foldersIn({ path, home }: Worktree, folders: readonly string[]): readonly string[] {
  return folders.filter(folder => contains(home, folder)).map(folder => join(path, relative(home, folder)));
}
