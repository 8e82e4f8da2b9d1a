import { type TextDocument, Uri, workspace } from 'vscode';

/** Language tools look only at documents that are open, if nowhere on the screen. */
export async function openDocument(path: string): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(Uri.file(path));
  } catch {
    // Not text, or gone by now: no tool will speak about it.
    return undefined;
  }
}
