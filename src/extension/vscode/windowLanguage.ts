/* VS Code's display language, if Folio is translated into it. */

import { env, l10n } from 'vscode';
import { type Language, setLanguage } from '../../protocol/language.ts';

/** Called at activation, before any text is shown. */
export function setWindowLanguage(): void {
  setLanguage(windowLanguage());
}

export async function readPageLanguage(): Promise<Language> {
  const { tag, catalog } = windowLanguage();
  if (l10n.bundle === undefined) return { tag, catalog };
  const { default: messages } = await import('../../../l10n/page.json');
  const said = messages.filter(message => Object.hasOwn(catalog, message));
  return { tag, catalog: Object.fromEntries(said.map(message => [message, catalog[message]!])) };
}

function windowLanguage(): Language {
  return l10n.bundle === undefined ? { tag: 'en', catalog: {} } : { tag: env.language, catalog: l10n.bundle };
}
