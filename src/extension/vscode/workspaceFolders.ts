import { workspace } from 'vscode';

/** Folders that the user's settings add to every workspace of this window. */
const included: string[] = [];

export function includeFolders(folders: readonly string[]): void {
  included.push(...folders);
}

/**
 * Absolute paths of the open folders, and, if any is open, of those that the user's settings add. Leaves out folders
 * that are not on disk.
 */
export function workspaceFolders(): readonly string[] {
  const folders = workspace.workspaceFolders ?? [];
  const open = folders.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
  return open.length === 0 ? open : [...new Set([...open, ...included])];
}
