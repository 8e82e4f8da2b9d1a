import { type TextDocument, Uri, workspace } from 'vscode';

/** Opens a document in the background, since language tools check only open ones. */
export async function openDocument(path: string): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(Uri.file(path));
  } catch {
    // Binary or deleted: no tool will report on it.
    return undefined;
  }
}
