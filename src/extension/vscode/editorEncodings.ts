import { type TextDocument, type Uri, workspace } from 'vscode';
import type { ChosenEncodings } from '../platform/fileEncodings.ts';

/**
 * The encoding of a file in VS Code: that of its open document, else `files.encoding`. If a language has its own
 * encoding, or VS Code guesses, only VS Code knows the result, so the file is opened.
 */
export class EditorEncodings implements ChosenEncodings {
  private readonly findUri: (path: string) => Promise<Uri>;

  /** @param findUri returns VS Code's URI of a file */
  constructor(findUri: (path: string) => Promise<Uri>) {
    this.findUri = findUri;
  }

  async findChosen(path: string, content: 'utf8' | 'other' | 'none'): Promise<string | undefined> {
    const uri = await this.findUri(path);
    const name = uri.toString();
    const open = workspace.textDocuments.find(each => !each.isClosed && each.uri.toString() === name);
    if (open) return open.encoding;
    const settings = workspace.getConfiguration('files', uri);
    const hasLanguages = (settings.inspect('encoding')?.languageIds?.length ?? 0) > 0;
    // Bytes that are valid UTF-8 are hardly ever anything else.
    const isGuessed = content === 'other' && settings.get('autoGuessEncoding') === true;
    const isOpened = content !== 'none' && (hasLanguages || isGuessed);
    const document = isOpened ? await openDocument(uri) : undefined;
    return document?.encoding ?? settings.get<string>('encoding');
  }
}

async function openDocument(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    // VS Code takes the file for binary or too large.
    return undefined;
  }
}
