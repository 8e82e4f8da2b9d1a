import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import { findRipgrep, packagedRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { RipgrepSearch } from '../../src/extension/node/search/ripgrepSearch.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import { SearchError } from '../../src/extension/platform/search.ts';
import { searchContract } from '../support/searchContract.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const on = (path: string) => new ProgramFinder(() => [], { PATH: path });
const packaged = packagedRipgrep();
const programs = [await findRipgrep(), ...packaged].filter(each => each !== undefined);

searchContract('WalkSearch', () => new WalkSearch());

for (const program of new Set(programs)) {
  searchContract(`RipgrepSearch with ${program}`, () => new RipgrepSearch(program));
}

searchContract('NodeSearch', () => new NodeSearch());

test.skipIf(process.platform === 'win32')(
  'only a folder of many files or folders costs a process to be listed',
  async () => {
    const root = await temporaryFolder('folio-rg-');
    const program = join(root, 'rg');
    const used = join(root, 'used');
    await writeFile(program, `#!/bin/sh\necho x >> '${used}'\nexec '${packaged[0]!}' "$@"\n`, {
      mode: 0o755,
    });
    const search = new NodeSearch([program], on(''));
    const list = async (folder: string) => {
      const query = { folder: join(root, folder), pattern: '**/*.txt' };
      const { paths } = await search.findFiles(query, new AbortController().signal);
      return [paths.length, (await readFile(used, 'utf8').catch(() => '')).length > 0];
    };
    const fill = async (folder: string) => {
      await mkdir(join(root, folder), { recursive: true });
      await writeFile(join(root, folder, 'note.txt'), '');
    };
    for (let index = 0; index < 80; index++) await fill(`few/${index}`);
    expect(await list('few')).toEqual([80, false]);
    for (let index = 0; index < 101; index++) await fill(`many/${index}`);
    expect(await list('many')).toEqual([101, true]);
  },
);

test('what the system cannot pass to ripgrep is refused like a wrong pattern', async () => {
  const search = new RipgrepSearch(packaged[0]!);
  for (const pattern of ['a\0b', 'x'.repeat(5_000_000)]) {
    const query = { path: tmpdir(), pattern, maxTotal: 1 };
    await expect(search.findText(query, new AbortController().signal)).rejects.toThrow(SearchError);
  }
});

describe.skipIf(process.platform === 'win32')('finding ripgrep', () => {
  test('a program that does not run or is something else is passed over', async () => {
    const root = await temporaryFolder('folio-rg-');
    const make = async (name: string, script: string) => {
      await mkdir(join(root, name));
      const program = join(root, name, 'rg');
      await writeFile(program, `#!/bin/sh\n${script}\n`);
      await chmod(program, 0o755);
      return program;
    };
    const broken = await make('broken', 'exit 1');
    const other = await make('other', 'echo something else');
    const good = await make('good', 'echo ripgrep 99');
    expect(await findRipgrep([broken, join(root, 'none'), other, good], on(''))).toBe(good);
    expect(await findRipgrep([broken], on(`${join(root, 'good')}:/none`))).toBe(good);
    expect(await findRipgrep([good], on(join(root, 'broken')))).toBe(good);
    expect(await findRipgrep([broken, other], on(''))).toBeUndefined();
    // A relative entry would let the workspace supply the program.
    expect(await findRipgrep([], on('.:'))).toBeUndefined();
    expect((await readdir(root)).length).toBe(3);
  });
});
