import { workspace } from 'vscode';

/** Folders that the user's settings add to every workspace of this window. */
const included: string[] = [];

export function includeFolders(folders: readonly string[]): void {
  included.push(...folders);
}

/**
 * Absolute paths of the folders that are open, and of those that the user's settings add where one is open. Folders
 * that are not on a disk cannot be worked on.
 */
export function workspaceFolders(): readonly string[] {
  const folders = workspace.workspaceFolders ?? [];
  const open = folders.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
  return open.length === 0 ? open : [...new Set([...open, ...included])];
}
