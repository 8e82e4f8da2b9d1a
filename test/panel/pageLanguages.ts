/* The languages that the page can be shown in, as the window gives them to it. */

import { pseudo } from '../../scripts/l10n/pseudo.ts';
import { readCatalog } from '../../scripts/l10n/readCatalog.ts';
import type { Language } from '../../src/protocol/language.ts';

/** English needs no catalog; `pseudo` is a longer English. */
export const pageLanguages = ['en', 'de', 'zh-cn', 'pseudo'] as const;

export type PageLanguage = (typeof pageLanguages)[number];

export async function readPageLanguages(): Promise<ReadonlyMap<string, Language>> {
  const messages = Object.values(await readCatalog('l10n/page.json'));
  const languages = new Map<string, Language>([['en', { tag: 'en', catalog: {} }]]);
  const put = (name: string, tag: string, translate: (message: string) => string) =>
    languages.set(name, {
      tag,
      catalog: Object.fromEntries(messages.map(message => [message, translate(message)])),
    });
  put('pseudo', 'en', pseudo);
  for (const name of ['de', 'zh-cn']) {
    const catalog = await readCatalog(`l10n/bundle.l10n.${name}.json`);
    put(name, name, message => catalog[message]!);
  }
  return languages;
}
