import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IncludedIgnoredFiles } from '../../../src/extension/core/changes/includedIgnoredFiles.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../../src/extension/node/search/nodeSearch.ts';
import { isGlobs } from '../../../src/extension/platform/settingFiles/settingChecks.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { initRepository } from '../../support/gitRepository.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const settle = {
  'under Git': (workspace: string) => initRepository(workspace, {}),
  'without Git': async () => {},
};

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

describe.each(Object.entries(settle))('ignored files %s', (_way, begin) => {
  let world: DiskWorld;
  afterEach(() => world.dispose());
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);
  const command =
    "sed -i s/1/2/ local.conf gen/a.ts other.log && rm gen/deep/b.ts && printf 'new\\n' > gen/new.ts && printf x > made.log";
  const make = async (globs: readonly string[]) => {
    world = await makeDiskWorld(undefined, { alsoIgnored: globs });
    await writeAll(world.workspace, {
      '.gitignore': 'local.conf\ngen/\n*.log\n',
      'local.conf': 'A=1\n',
      'gen/a.ts': '1\n',
      'gen/deep/b.ts': '1\n',
      'other.log': '1\n',
    });
    await begin(world.workspace);
    await world.turn('go', ['run_shell_command', { command }]);
  };

  test('that a setting names wait for review, and a rewind puts them back', async () => {
    await make(['local.conf', 'gen/**']);
    const { ledger } = world.session.changes;
    expect(ledger.paths.toSorted()).toEqual(
      ['gen/a.ts', 'gen/deep/b.ts', 'gen/new.ts', 'local.conf'].map(at),
    );
    const ended = world.events.find(event => event.type === 'call.ended');
    expect(ended?.type === 'call.ended' && ended.display).toMatchObject({ uncovered: undefined });
    expect(await ledger.reject({ path: at('gen/a.ts') })).toEqual([]);
    expect(await read('gen/a.ts')).toBe('1\n');
    const started = world.events.find(event => event.type === 'turn.started');
    const turnId = started?.type === 'turn.started' ? started.turnId : '';
    await world.session.rewind({ kind: 'turn', turnId }, 'files');
    const now = await Promise.all(['local.conf', 'gen/a.ts', 'gen/deep/b.ts', 'gen/new.ts'].map(read));
    expect(now).toEqual(['A=1\n', '1\n', '1\n', undefined]);
    expect([await read('other.log'), await read('made.log')]).toEqual(['2\n', 'x']);
  });

  test('that no setting names are left alone', async () => {
    await make([]);
    expect(world.session.changes.ledger.paths).toEqual([]);
  });
});

describe('globs of ignored files', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('folio-git-');
    await writeAll(root, {
      '.gitignore': '*\n',
      'a.env': '',
      'deep/b.env': '',
      'dist/c.js': '',
      'dist/deep/d.js': '',
      'node_modules/e.env': '',
    });
  });

  const list = async (...globs: readonly string[]) => {
    const named = new IncludedIgnoredFiles({
      search: new NodeSearch(),
      files: new NodeFileSystem(),
      ignoredFolders: () => ['dist', 'node_modules'],
      globs: () => globs,
    });
    const paths = await named.forCommand()?.(root, new AbortController().signal);
    return paths?.map(path => path.slice(root.length + 1)).sort();
  };

  test.each([
    [['a.env'], ['a.env']],
    [['*.env'], ['a.env']],
    [['./*.env'], ['a.env']],
    [['**/*.env'], ['a.env', 'deep/b.env']],
    [['dist'], ['dist/c.js', 'dist/deep/d.js']],
    [['dist/'], ['dist/c.js', 'dist/deep/d.js']],
    [
      ['dist/**', 'dist/*.js'],
      ['dist/c.js', 'dist/deep/d.js'],
    ],
    [['dist/*.js'], ['dist/c.js']],
    [['**/node_modules/*.env'], ['node_modules/e.env']],
    [['nothing', 'none/**'], []],
  ])('%j name %j', async (globs, expected) => {
    expect(await list(...globs)).toEqual(expected);
  });

  test('name nothing where there are none', async () => {
    expect(await list()).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')(
    'lead nowhere out of the folder, not through a link either',
    async () => {
      const outside = await temporaryFolder('folio-git-');
      await writeFile(join(outside, 'x.env'), '');
      await symlink(outside, join(root, 'link'));
      expect(await list('link/**', 'link/x.env', '../*')).toEqual([]);
    },
  );

  test('that match too many files cover none', async () => {
    await writeAll(root, Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`many/${at}`, ''])));
    expect(await list('many/**')).toBeUndefined();
    await rm(join(root, 'many/0'));
    expect(await list('many/**')).toHaveLength(2000);
  });

  test.each([['/etc/passwd'], ['../x'], ['a/../../x'], ['~/x'], ['C:\\x'], ['a\\..\\b'], [' ']])(
    '%j is none',
    glob => expect(isGlobs([glob])).toBe(false),
  );
});
