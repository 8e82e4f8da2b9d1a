import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseMentions } from '../../src/extension/core/mentions/parseMentions.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface NameCase extends WorldCase {
  readonly name: string;
  /** As lists show it. */
  readonly shown: string;
}

const names: readonly NameCase[] = [
  { title: 'a line break', source: 'report', name: 'a\nb.txt', shown: '"a\\nb.txt"' },
  {
    title: 'an escape of a terminal',
    source: 'report',
    name: 'c\u001b[31m.txt',
    shown: '"c\\u001b[31m.txt"',
  },
  { title: 'a blank at its beginning', source: 'report', name: ' d.txt', shown: '" d.txt"' },
  { title: 'a backslash', source: 'report', name: 'e\\f.txt', shown: 'e\\f.txt' },
  { title: 'a quote', source: 'report', name: 'g"h.txt', shown: 'g"h.txt' },
  { title: 'a dash at its beginning', source: 'report', name: '-i.txt', shown: '-i.txt' },
];

describe.skipIf(process.platform === 'win32')('a file whose name has', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each(names)('$title stands in one line, and can be read', async ({ name, shown }) => {
    await writeFile(join(world.workspace, name), 'needle\n');
    world.server.script(
      [
        call('list_directory', { dir_path: '.' }),
        call('glob', { pattern: '*.txt' }),
        call('grep_search', { pattern: 'needle' }),
        call('grep_search', { pattern: 'needle', names_only: true }),
        call('read_many_files', { include: ['*.txt'] }),
        call('read_file', { file_path: name }),
      ],
      [text('Done.')],
    );
    const { code, error } = await world.run(['--prompt', 'go']);
    expect(code, error).toBe(0);
    const results = lastResults(world.server.requests[1]!).map(({ output }) => output?.split('\n') ?? []);
    const expected = [`${shown} (7 bytes)`, shown, shown, shown, `--- ${shown} ---`];
    // A path with hidden characters asks, and nobody is there.
    if (!name.includes('\u001b')) expected.push('needle');
    for (const [at, line] of expected.entries()) expect(results[at]).toContain(line);
  });

  it.each(['.gitignore', '.geminiignore', '.ignore'])('%s and holds no rules stops nothing', async name => {
    await mkdir(join(world.workspace, '.git'));
    await writeFile(join(world.workspace, name), `b.txt\n${'\0'.repeat(200_000)}\nc.txt\n`);
    for (const each of ['a', 'b', 'c']) await writeFile(join(world.workspace, `${each}.txt`), 'needle\n');
    world.server.script([call('glob', { pattern: '*.txt' }), call('list_directory', { dir_path: '.' })]);
    world.server.script([text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go']);
    expect(code, error).toBe(0);
    const [found] = lastResults(world.server.requests[1]!);
    expect(found?.output).toContain('a.txt');
    expect(found?.output).not.toMatch(/^[bc]\.txt/m);
  });
});

interface MentionCase extends WorldCase {
  readonly prompt: string;
  /** The first is looked for first; absent: none is meant. */
  readonly paths?: readonly string[];
}

const mentions: readonly MentionCase[] = [
  {
    title: 'a second copy',
    source: 'report',
    prompt: 'See @report(1).pdf.',
    paths: ['report(1).pdf.', 'report(1).pdf', 'report'],
  },
  {
    title: 'an apostrophe',
    source: 'report',
    prompt: "See @docs/it's.md now",
    paths: ["docs/it's.md", 'docs/it'],
  },
  {
    title: 'a possessive',
    source: 'report',
    prompt: "In @README.md's head",
    paths: ["README.md's", 'README.md'],
  },
  { title: 'a text in quotes', source: 'trial', prompt: "Use '@a.md'.", paths: ['a.md'] },
  { title: 'a decorator', source: 'trial', prompt: 'Add @Input() name' },
  { title: 'a decorator with a text', source: 'trial', prompt: "Add @Input('a.b') name" },
  {
    title: 'brackets of a route',
    source: 'report',
    prompt: 'See @app/(shop)/[id]/page.tsx',
    paths: ['app/(shop)/[id]/page.tsx', 'app/'],
  },
];

describe('a mention with', () => {
  it.each(mentions)('$title', ({ prompt, paths }) => {
    const read = parseMentions(prompt).flatMap(thing =>
      thing.kind === 'path' ? [thing.readings.map(({ path }) => path)] : [],
    );
    expect(read).toEqual(paths ? [paths] : []);
  });
});
