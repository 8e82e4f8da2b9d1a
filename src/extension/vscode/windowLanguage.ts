/* VS Code's own language, where Folio is translated into it. */

import { env, l10n, Uri, workspace } from 'vscode';
import { type Language, setLanguage } from '../../protocol/language.ts';

/** Called as the extension is activated, before anything is said. */
export function useWindowLanguage(): void {
  setLanguage(windowLanguage());
}

/**
 * The window's language with those of its words that the page says.
 * @param extension the folder of the extension
 */
export async function readPageLanguage(extension: Uri): Promise<Language> {
  const { tag, catalog } = windowLanguage();
  if (l10n.bundle === undefined) return { tag, catalog };
  const file = await workspace.fs.readFile(Uri.joinPath(extension, 'l10n', 'page.json'));
  const messages: readonly string[] = JSON.parse(new TextDecoder().decode(file));
  const said = messages.filter(message => Object.hasOwn(catalog, message));
  return { tag, catalog: Object.fromEntries(said.map(message => [message, catalog[message]!])) };
}

function windowLanguage(): Language {
  return l10n.bundle === undefined ? { tag: 'en', catalog: {} } : { tag: env.language, catalog: l10n.bundle };
}
