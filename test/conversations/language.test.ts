import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pseudo } from '../../scripts/l10n/pseudo.ts';
import { readCatalog } from '../../scripts/l10n/readCatalog.ts';
import { setLanguage } from '../../src/protocol/language.ts';
import { playConversation } from '../support/conversation.ts';

const folder = import.meta.dirname;

describe('a model reads the same whatever language the person has', () => {
  let catalog: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const messages = Object.values(await readCatalog('l10n/bundle.l10n.json'));
    catalog = Object.fromEntries(messages.map(message => [message, pseudo(message)]));
  });

  afterEach(() => setLanguage({ tag: 'en', catalog: {} }));

  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.golden'))) {
    it(name.replace(/\.golden$/, '').replaceAll('-', ' '), async () => {
      const golden = readFileSync(join(folder, name), 'utf8');
      setLanguage({ tag: 'en', catalog });
      const played = await playConversation(golden);
      expect(forModels(played)).toEqual(forModels(golden));
    });
  }

  it('and what the person reads in them does change', async () => {
    const golden = readFileSync(join(folder, 'a-plan-that-is-sent-back-leaves-plan-mode-on.golden'), 'utf8');
    setLanguage({ tag: 'en', catalog });
    expect(await playConversation(golden)).not.toBe(golden);
  });
});

/** What goes into histories, and the newest request whole. */
function forModels(conversation: string): readonly string[] {
  const lines = conversation.slice(conversation.indexOf('=== events')).split('\n');
  const last = lines.indexOf('=== last request');
  return [...lines.filter(line => /^\d+ message\.added /.test(line)), ...(last < 0 ? [] : lines.slice(last))];
}
