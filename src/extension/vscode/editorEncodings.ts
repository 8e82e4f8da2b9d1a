import { basename } from 'node:path';
import { extensions, type TextDocument, type Uri, type WorkspaceConfiguration, workspace } from 'vscode';
import type { FileEncodings } from '../platform/fileEncodings.ts';

/**
 * The encoding of a file in VS Code: that of its open document, else what `files.encoding` says. Where a language has an
 * encoding of its own, or VS Code guesses, only VS Code knows which one, so the file is opened.
 */
export class EditorEncodings implements FileEncodings {
  private readonly findUri: (path: string) => Promise<Uri>;

  /** @param findUri the URI by which VS Code knows a file */
  constructor(findUri: (path: string) => Promise<Uri>) {
    this.findUri = findUri;
  }

  async findChosen(path: string, content: 'utf8' | 'other' | 'none'): Promise<string | undefined> {
    const uri = await this.findUri(path);
    const name = uri.toString();
    const open = workspace.textDocuments.find(each => !each.isClosed && each.uri.toString() === name);
    if (open) return open.encoding;
    const settings = workspace.getConfiguration('files', uri);
    const languages = settings.inspect('encoding')?.languageIds ?? [];
    // Bytes that are valid as UTF-8 hardly ever are anything else.
    const isGuessed = content === 'other' && settings.get('autoGuessEncoding') === true;
    const isOpened = content !== 'none' && (isGuessed || mayBeIn(languages, path, settings));
    const document = isOpened ? await openDocument(uri) : undefined;
    return document?.encoding ?? settings.get<string>('encoding');
  }
}

/** A contribution of an extension, as far as it is read here. */
interface LanguageContributions {
  readonly contributes?: {
    readonly languages?: readonly {
      readonly id: string;
      readonly extensions?: readonly string[];
      readonly filenames?: readonly string[];
    }[];
  };
}

/** Opening a file wakes language servers, so it is spared those that surely are in another language. */
function mayBeIn(languages: readonly string[], path: string, settings: WorkspaceConfiguration): boolean {
  if (languages.length === 0) return false;
  const associated = Object.values(settings.get<Record<string, string>>('associations') ?? {});
  if (associated.some(id => languages.includes(id))) return true;
  const name = basename(path).toLowerCase();
  return extensions.all.some(({ packageJSON }) =>
    (packageJSON as LanguageContributions).contributes?.languages?.some(
      each =>
        languages.includes(each.id) &&
        (each.filenames?.some(file => file.toLowerCase() === name) ||
          each.extensions?.some(end => name.endsWith(end.toLowerCase()))),
    ),
  );
}

async function openDocument(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    // VS Code takes the file for binary or too large.
    return undefined;
  }
}
