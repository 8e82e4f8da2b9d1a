import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  protectiveKeys,
  strictSettingKeys,
} from '../../src/extension/platform/customizations/policyFiles.ts';
import { settingKeys } from '../../src/extension/platform/settingFiles/settingKeys.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';

const folder = join(repositoryRoot, 'docs');
const pages = (await readdir(folder)).filter(name => name.endsWith('.md'));
const docs = new Map(
  await Promise.all(pages.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)),
);
const permissions = sectionOf(docs.get('permissions.md')!, 'Settings');
const settings = sectionOf(docs.get('settings.md')!, 'What you keep for other tools');
const read = settingKeys.map(({ key }) => key).filter(key => !key.startsWith('folio.'));
const known = [...read, ...protectiveKeys];
const sections = [...new Set(known.filter(key => key.includes('.')).map(key => key.split('.')[0]))];

function sectionOf(page: string, heading: string): string {
  const [, after] = page.split(`\n## ${heading}\n`);
  return after!.split('\n## ')[0]!;
}

/** Dotted names in code that begin with a section of settings files; `{a,b}` stands for each of the two. */
function keysIn(text: string): readonly string[] {
  const begin = new RegExp(`^(?:${sections.join('|')})\\.[\\w.]+$`);
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!).filter(name => begin.test(name));
}

/** Keys with rows of their own below them are sections, which no page needs to name. */
const isSection = (key: string) => known.some(other => other.startsWith(`${key}.`));

describe('the pages and the tables of settings that other tools have', () => {
  it.each(strictSettingKeys)('name %s as one that asks instead', key => {
    expect(keysIn(permissions)).toContain(key);
  });

  it('refuse in docs/permissions.md what the table refuses, and nothing else', () => {
    const [, table] = permissions.split('| where | what happens |');
    const refused = keysIn(table!.split('\n\n')[0]!);
    const lasting = 'security.disableAlwaysAllow';
    expect(refused.toSorted()).toEqual(strictSettingKeys.filter(key => key !== lasting).toSorted());
  });

  it.each(protectiveKeys.filter(key => !isSection(key)))('name %s, which protects', key => {
    const names = [`\`${key}\``, `\`${key}.`];
    const naming = [...docs].filter(([, text]) => names.some(each => text.includes(each)));
    expect(naming).not.toEqual([]);
  });

  it.each(read)('name %s, which is honoured', key => {
    expect(settings).toContain(`\`${key}\``);
  });

  it.each([...new Set(keysIn(permissions + settings))])('name %s, which a table has', key => {
    const lists = ['tools.allowed', 'tools.core', 'tools.exclude', 'tools.confirmationRequired'];
    expect([...known, ...lists]).toContain(key);
  });
});
