/* Checks that a window makes only when it needs the value, so that its start does not load them. */

import type { SettingValues } from '../settings.ts';
import { isFolderList } from './settingChecks.ts';

/** A folder below a root, with `/` and without patterns; nothing of Git's own. */
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
