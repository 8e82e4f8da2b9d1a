import { readdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLists } from '../../scripts/docs/commandTables.ts';
import { findStale } from '../../scripts/docs/generated.ts';
import { readManifest } from '../../scripts/docs/manifest.ts';
import { readText, repositoryRoot } from '../support/sourceFiles.ts';

describe('Generated parts', () => {
  test('agree with the source: run "npm run docs" when one does not', async () => {
    const stale = (await findStale()).map(({ path }) => path);
    expect(stale, 'Run "npm run docs" and commit what it writes').toEqual([]);
  });

  test('cannot leave a command of the palette out', async () => {
    const manifest = await readManifest(await readText('package.json'));
    const commands = [...manifest.commands, { command: 'folio.new', title: 'New', category: 'Folio' }];
    expect(() => commandLists({ ...manifest, commands })).toThrow('Missing: folio.new.');
  });
});

describe('A command of the palette', () => {
  test.each(['', '.de', '.zh-cn'])('is named after Folio once%s', async language => {
    const { contributes } = JSON.parse(await readText('package.json'));
    const texts = JSON.parse(await readText(`package.nls${language}.json`));
    const names = contributes.commands.map(
      ({ title, category }: { title: string; category?: string }) =>
        `${category ?? ''}: ${texts[title.replaceAll('%', '')] ?? title}`,
    );
    const palette = contributes.menus.commandPalette.filter(({ when }: { when: string }) => when === 'false');
    const hidden = palette.map(({ command }: { command: string }) => command);
    const shown = names.filter((_: string, at: number) => !hidden.includes(contributes.commands[at].command));
    expect(shown.filter((name: string) => name.split('Folio').length !== 2)).toEqual([]);
  });
});

describe('README', () => {
  test('has at most 1,200 words', async () => {
    expect((await readText('README.md')).split(/\s+/).length).toBeLessThanOrEqual(1200);
  });

  test('names every page of docs', async () => {
    const readme = await readText('README.md');
    const pages = (await readdir(join(repositoryRoot, 'docs'))).filter(name => name.endsWith('.md'));
    expect(pages.filter(name => !readme.includes(`(docs/${name})`))).toEqual([]);
  });
});

test('Links between the pages lead to a file, and to a heading that it has', async () => {
  const pages = await listPages();
  const broken: string[] = [];
  for (const page of pages) {
    for (const link of linksOf(await readText(page))) {
      if (!(await leadsSomewhere(page, link))) broken.push(`${page}: ${link}`);
    }
  }
  expect(pages.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

async function listPages(): Promise<readonly string[]> {
  const [top, docs] = await Promise.all(['.', 'docs'].map(folder => readdir(join(repositoryRoot, folder))));
  const paths = [...top!, ...docs!.map(name => `docs/${name}`)];
  return paths.filter(path => path.endsWith('.md'));
}

/** Relative ones. Examples in fences and code are no links. */
function linksOf(page: string): readonly string[] {
  const prose = page.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter(target => !/^[a-z]+:/.test(target));
}

async function leadsSomewhere(page: string, link: string): Promise<boolean> {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : normalize(join(dirname(page), file));
  const text = await readText(target).catch(() => undefined);
  if (text === undefined) return false;
  return heading === undefined || headingsOf(text).includes(heading);
}

/** As GitHub names them. */
function headingsOf(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map(heading =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
