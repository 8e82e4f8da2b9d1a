import { workspace } from 'vscode';

/** Absolute paths of the folders that are open. Folders that are not on a disk cannot be worked on. */
export function workspaceFolders(): readonly string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
}
