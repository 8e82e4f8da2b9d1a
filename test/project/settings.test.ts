import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../support/sourceFiles.ts';

interface Section {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, { readonly order?: number }>>;
}

const languages = ['package.nls.json', 'package.nls.de.json', 'package.nls.zh-cn.json'];
const readJson = async (name: string) => JSON.parse(await readFile(join(repositoryRoot, name), 'utf8'));
const sections: readonly Section[] = (await readJson('package.json')).contributes.configuration;

test('settings begin with provider, model, mode and sandbox, and a way to set a key', async () => {
  expect(sections.map(({ order }) => order)).toEqual(sections.map((_, index) => index + 1));
  expect(Object.keys(sections[0]!.properties)).toEqual([
    'folio.provider',
    'folio.model',
    'folio.approvalMode',
    'folio.sandbox',
  ]);
  for (const name of languages)
    expect((await readJson(name))['folio.provider'], name).toContain('(command:folio.setApiKey)');
});

test('each setting has a place of its own in its section', () => {
  for (const { title, properties } of sections) {
    const orders = Object.values(properties).map(({ order }) => order);
    expect(orders, title).toEqual(orders.map((_, index) => index + 1));
  }
});

test('each section has a title in every language', async () => {
  for (const name of languages) {
    const texts = await readJson(name);
    const titles = sections.map(({ title }) => texts[title.replaceAll('%', '')]);
    expect(new Set(titles).size, name).toBe(sections.length);
    expect(titles, name).not.toContain(undefined);
  }
});
