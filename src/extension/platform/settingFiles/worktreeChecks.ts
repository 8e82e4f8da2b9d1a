/* Checks that a window loads only when needed, to keep them out of its start. */

import type { SettingValues } from '../settings.ts';
import { isFolderList } from './settingChecks.ts';

/** A folder below a root, with `/`, without patterns and outside of `.git`. */
export function isInnerFolder(path: string): boolean {
  const isName = (name: string) => !/^(\.{0,2}|\.git)$|[*?:[\]{}\\]/i.test(name);
  return path.replace(/\/$/, '').split('/').every(isName);
}

export function isInnerFolders(value: unknown): value is readonly string[] {
  return isFolderList(value) && value.every(isInnerFolder);
}

export function isSessionPlace(value: unknown): value is SettingValues['worktree.default'] {
  return value === 'workspace' || value === 'worktree' || value === 'container';
}
