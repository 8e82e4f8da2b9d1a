import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playConversation } from '../support/conversation.ts';

const folder = import.meta.dirname;

describe('a conversation goes as its file says', () => {
  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.golden'))) {
    it(name.replace(/\.golden$/, '').replaceAll('-', ' '), async () => {
      const file = join(folder, name);
      await expect(await playConversation(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
    });
  }
});
