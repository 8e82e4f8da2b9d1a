import { chmod, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import type { Hunk } from '../../../src/extension/review/hunk.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { initRepository } from '../../support/gitRepository.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const committed = {
  'src/x.ts': 'a\nb\nc\nd\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'marked.txt': '\ufeffone\ntwo\n',
  'mixed.txt': '\ufeffone\r\ntwo\nthree\r\nlast',
};

/** Makes what the workspace holds known: it is committed, or there is no Git and the index of the folder has to do. */
const ways = {
  'under Git': (workspace: string) => initRepository(workspace, {}),
  'without Git': async () => {},
};

describe.each(Object.entries(ways))('what a command changed %s', (way, settle) => {
  /** How a change is found differs without Git; what is decided about it does not. */
  const once = { tags: way === 'under Git' ? [] : ['longer'] };
  const world = eachTest(() => makeWorkspace(settle));

  const ledger = () => world.session.changes.ledger;
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8');
  const run = (command: string) => world.turn('go', ['run_shell_command', { command }]);
  const rewind = async () => {
    const started = world.events.find(event => event.type === 'turn.started');
    const turnId = started?.type === 'turn.started' ? started.turnId : '';
    await world.session.rewind({ kind: 'turn', turnId }, 'files');
  };
  const hunksOf = (name: string): readonly Hunk[] => ledger().review(at(name))?.hunks ?? [];

  test('waits for review, names the command, and goes back byte for byte', async () => {
    const command =
      "sed -i s/b/B/ src/x.ts && printf 'new\\n' > new.txt && sed -i s/two/TWO/ crlf.txt marked.txt";
    await run(command);
    expect(
      ledger()
        .paths.map(path => path.slice(world.workspace.length + 1))
        .sort(),
    ).toEqual(['crlf.txt', 'marked.txt', 'new.txt', 'src/x.ts']);
    expect(hunksOf('src/x.ts')).toMatchObject([
      { status: 'pending', start: 1, count: 1, writers: [{ kind: 'command', callId: 'call1' }] },
    ]);
    const reported = reviewsIn(world.events).get(at('src/x.ts'));
    expect(reported?.hunks[0]?.writers).toEqual([
      { kind: 'command', callId: 'call1', line: expect.any(String) },
    ]);
    expect(await ledger().reject({})).toEqual([]);
    for (const [name, text] of Object.entries(committed)) expect(await read(name)).toBe(text);
    await expect(read('new.txt')).rejects.toThrow('ENOENT');
  });

  test('waits in each of more files than are read from Git at once, and goes back', once, async () => {
    const names = Array.from({ length: 270 }, (_, number) => `src/${number}.ts`);
    for (const name of names) await writeFile(at(name), `const it = ${name.length};\nold(it);\n`);
    await settle(world.workspace);
    await run("sed -i 's/old/fresh/' src/*.ts");
    expect(ledger().paths).toHaveLength(names.length);
    expect(names.every(name => hunksOf(name).length === 1)).toBe(true);
    expect(await ledger().reject({})).toEqual([]);
    for (const name of names) expect(await read(name)).toContain('\nold(it);\n');
  });

  test(
    'waits at both ends of a file with a mark and uneven breaks, and each goes back alone, byte for byte',
    once,
    async () => {
      await run("sed -i '1s/one/ONE/; $s/last/LAST/' mixed.txt");
      const [first, last] = hunksOf('mixed.txt');
      expect(await ledger().reject({ path: at('mixed.txt'), hunkId: first!.id })).toEqual([]);
      expect(await read('mixed.txt')).toBe(committed['mixed.txt'].replace('last', 'LAST'));
      expect(await ledger().bringBack(at('mixed.txt'), first!.id)).toEqual([]);
      expect(await ledger().reject({ path: at('mixed.txt'), hunkId: last!.id })).toEqual([]);
      expect(await read('mixed.txt')).toBe(committed['mixed.txt'].replace('one', 'ONE'));
      await ledger().reject({});
      expect(await read('mixed.txt')).toBe(committed['mixed.txt']);
    },
  );

  test('is no more than the command’s: what was saved before it stays', async () => {
    await writeFile(at('src/x.ts'), 'a\nb\nc\nd\nmine\n');
    await run('sed -i s/b/B/ src/x.ts');
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe('a\nb\nc\nd\nmine\n');
  });

  test('joins what a tool wrote there, which names both', once, async () => {
    await world.turn(
      'go',
      ['read_file', { file_path: 'src/x.ts' }],
      ['write_file', { file_path: 'src/x.ts', content: 'a\nB\nc\nd\n' }],
      ['run_shell_command', { command: 'sed -i s/B/BB/ src/x.ts' }],
    );
    expect(hunksOf('src/x.ts').map(({ writers }) => writers?.map(({ kind }) => kind))).toEqual([
      ['call', 'command'],
    ]);
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test('is the command’s also where an editor reports it first', once, async () => {
    await world.turn('go', ['write_file', { file_path: 'src/x.ts', content: 'a\nB\nc\nd\n' }]);
    const path = at('src/x.ts');
    const changes = world.session.changes;
    const files = changes.filesOf({ kind: 'command', callId: 'c', line: 'git checkout src/x.ts' }, 'seen');
    const call = { effect: 'run', files, reads: false, signal: new AbortController().signal } as const;
    await changes.watch(call, async () => {
      await writeFile(path, 'a\nb\nc\nD\n');
      await ledger().catchUp(path);
    });
    expect(hunksOf('src/x.ts').map(({ start, count }) => [start, count])).toEqual([[3, 1]]);
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test('is still there to decide on after a reload', async () => {
    await run('sed -i s/b/B/ src/x.ts');
    await world.reopen();
    expect(hunksOf('src/x.ts')).toMatchObject([{ writers: [{ kind: 'command' }] }]);
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test('is decided on as a whole where a file was deleted or is no text', async () => {
    await writeFile(at('picture.bin'), Buffer.from([0, 1, 2]));
    await settle(world.workspace);
    await run("rm src/x.ts && printf '\\0\\3\\4' > picture.bin && printf 'a\\0b' > new.bin");
    expect(shownIn(world.events)).toEqual({
      'src/x.ts': { change: 'deleted', by: 'file', lines: ['-a', '-b', '-c', '-d'] },
      'picture.bin': {
        change: 'modified',
        by: 'file',
        lines: ['-Not shown: 3 bytes', '+Not shown: 3 bytes'],
      },
      'new.bin': { change: 'created', by: 'file', lines: ['+Not shown: 3 bytes'] },
    });
    await world.reopen();
    expect(await ledger().reject({})).toEqual([]);
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    expect(await readFile(at('picture.bin'))).toEqual(Buffer.from([0, 1, 2]));
    await expect(read('new.bin')).rejects.toThrow('ENOENT');
    expect(await ledger().bringBack(at('src/x.ts'), 1)).toEqual([]);
    await expect(read('src/x.ts')).rejects.toThrow('ENOENT');
  });

  test('is put back with what waited in it, where a command deletes it later', once, async () => {
    await run('sed -i s/b/B/ src/x.ts');
    await run('rm src/x.ts');
    expect(hunksOf('src/x.ts')).toMatchObject([
      { baseCount: 1, count: 0, writers: [{ callId: 'call1' }, { callId: 'call2' }] },
    ]);
    await run("printf 'a\\nb\\nc\\nD\\n' > src/x.ts");
    expect(hunksOf('src/x.ts')).toMatchObject([{ start: 3, count: 1, baseStart: 3, baseCount: 1 }]);
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test(
    'is put back with what waited in it, also where an editor reports the deletion first',
    once,
    async () => {
      await run('sed -i s/b/B/ src/x.ts');
      const { changes } = world.session;
      const files = changes.filesOf({ kind: 'command', callId: 'c', line: 'rm src/x.ts' }, 'seen');
      const call = { effect: 'run', files, reads: false, signal: new AbortController().signal } as const;
      await changes.watch(call, async () => {
        await rm(at('src/x.ts'));
        ledger().follow(at('src/x.ts'), null);
      });
      await ledger().reject({});
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    },
  );

  test(
    'goes back also where a tool writes the text on which a command had put other bytes',
    once,
    async () => {
      await run("printf '\\0' > src/x.ts");
      await run("printf 'x\\n' > src/x.ts");
      await world.turn('go', ['write_file', { file_path: 'src/x.ts', content: 'x\ny\n' }]);
      expect(await ledger().reject({})).toEqual([]);
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    },
  );

  test('is not undone over what the user has put there since', once, async () => {
    await run('rm src/x.ts');
    await writeFile(at('src/x.ts'), 'mine\n');
    expect(await ledger().reject({})).toMatchObject([{ kind: 'touched', hunkIds: [1] }]);
    expect(await read('src/x.ts')).toBe('mine\n');
    expect(await ledger().reject({}, 'evenTouched')).toEqual([]);
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test.skipIf(process.platform === 'win32')(
    'never leads out of the workspace, where a command put a symbolic link in the place of a file',
    async () => {
      const outside = join(world.workspace, '../outside.txt');
      await writeFile(outside, 'outside\n');
      await world.turn('go', ['write_file', { file_path: 'src/x.ts', content: 'a\nB\nc\nd\n' }]);
      await run('ln -sf ../../outside.txt src/x.ts');
      expect(shownIn(world.events)).toEqual({
        'src/x.ts': {
          change: 'modified',
          by: 'file',
          lines: ['-a', '-b', '-c', '-d', '+Symbolic link to ../../outside.txt'],
        },
      });
      expect(await ledger().reject({})).toEqual([]);
      expect([await read('src/x.ts'), await readFile(outside, 'utf8')]).toEqual([
        committed['src/x.ts'],
        'outside\n',
      ]);
      expect(await ledger().bringBack(at('src/x.ts'), 1)).toEqual([]);
      expect(await readlink(at('src/x.ts'))).toBe('../../outside.txt');
      await rewind();
      expect(await readFile(outside, 'utf8')).toBe('outside\n');
      expect(rewoundIn(world.events)).toMatchObject([{ path: 'src/x.ts', result: 'restored' }]);
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    },
  );

  describe.skipIf(process.platform === 'win32')('about symbolic links', () => {
    const outside = () => join(world.workspace, '../outside.txt');
    const about = (behaviour: string, body: () => Promise<void>, options = once) =>
      test(behaviour, options, async () => {
        await writeFile(outside(), 'outside\n');
        await symlink('../outside.txt', at('kept'));
        await symlink('src', at('folder'));
        await settle(world.workspace);
        await body();
        expect(await readFile(outside(), 'utf8')).toBe('outside\n');
      });

    const commands =
      'ln -s ../outside.txt new && ln -sfn src/x.ts kept && rm folder && rm crlf.txt && ln -s nothing crlf.txt';
    const linksOf = () => Promise.all(['new', 'kept', 'folder', 'crlf.txt'].map(findLink));
    const findLink = (name: string) => readlink(at(name)).catch(() => undefined);

    about(
      'waits in words with where they lead, also after a reload, and goes back',
      async () => {
        await run(commands);
        expect(shownIn(world.events)).toEqual({
          new: { change: 'created', by: 'file', lines: ['+Symbolic link to ../outside.txt'] },
          kept: {
            change: 'modified',
            by: 'file',
            lines: ['-Symbolic link to ../outside.txt', '+Symbolic link to src/x.ts'],
          },
          folder: { change: 'deleted', by: 'file', lines: ['-Symbolic link to src'] },
          'crlf.txt': {
            change: 'modified',
            by: 'file',
            lines: ['-one', '-two', '+Symbolic link to nothing'],
          },
        });
        await world.reopen();
        expect(await ledger().reject({})).toEqual([]);
        expect(await linksOf()).toEqual([undefined, '../outside.txt', 'src', undefined]);
        expect(await read('crlf.txt')).toBe(committed['crlf.txt']);
        for (const path of ledger().paths) expect(await ledger().bringBack(path, 1)).toEqual([]);
        expect(await linksOf()).toEqual(['../outside.txt', 'src/x.ts', undefined, 'nothing']);
      },
      { tags: [] },
    );

    about('stays where it is accepted', async () => {
      await run(commands);
      ledger().accept({});
      expect(ledger().paths).toEqual([]);
      expect(await linksOf()).toEqual(['../outside.txt', 'src/x.ts', undefined, 'nothing']);
    });

    about('goes back with a rewind', async () => {
      await run(commands);
      await rewind();
      expect(await linksOf()).toEqual([undefined, '../outside.txt', 'src', undefined]);
      expect(await read('crlf.txt')).toBe(committed['crlf.txt']);
    });

    about('becomes a file and a link again', async () => {
      await run("rm kept && printf 'mine\\n' > kept");
      expect(await ledger().reject({})).toEqual([]);
      expect(await findLink('kept')).toBe('../outside.txt');
      await run("rm kept && printf 'mine\\n' > kept");
      await rewind();
      expect(await findLink('kept')).toBe('../outside.txt');
    });

    about('is not undone over a link that the user has made since', async () => {
      await run('rm src/x.ts');
      await symlink(outside(), at('src/x.ts'));
      expect(await ledger().reject({})).toMatchObject([{ kind: 'touched' }]);
      expect(await ledger().reject({}, 'evenTouched')).toEqual([]);
      expect([await findLink('src/x.ts'), await read('src/x.ts')]).toEqual([
        undefined,
        committed['src/x.ts'],
      ]);
    });

    about('is not what a link leads to that the user put there, however that is told', async () => {
      await run('sed -i s/b/B/ src/x.ts');
      await rm(at('src/x.ts'));
      await symlink('../../outside.txt', at('src/x.ts'));
      await ledger().catchUp(at('src/x.ts'));
      expect(ledger().paths).toEqual([]);
      expect(await ledger().reject({}, 'evenTouched')).toEqual([]);
      expect(await findLink('src/x.ts')).toBe('../../outside.txt');
    });

    about('becomes executable as a whole, where the link that took its place was undone', async () => {
      await run('ln -sf nothing src/x.ts');
      expect(await ledger().reject({})).toEqual([]);
      await run('chmod +x src/x.ts');
      expect(await ledger().reject({})).toEqual([]);
      expect(((await stat(at('src/x.ts'))).mode & 0o111) !== 0).toBe(false);
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    });

    about('leaves nothing executable behind, where it was undone before a mode and an edit', async () => {
      await run('ln -sf nothing src/x.ts');
      expect(await ledger().reject({})).toEqual([]);
      await run('chmod +x src/x.ts');
      await run('sed -i s/b/B/ src/x.ts');
      expect(await ledger().reject({})).toEqual([]);
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
      expect((await stat(at('src/x.ts'))).mode & 0o111).toBe(0);
    });

    about(
      'never goes through a link in the place of a folder',
      async () => {
        await mkdir(join(world.workspace, '../away'));
        await writeFile(join(world.workspace, '../away/x.ts'), 'away\n');
        await run('rm src/x.ts');
        await rm(at('src'), { recursive: true });
        await symlink('../away', at('src'));
        await ledger().reject({}, 'evenTouched');
        await rewind();
        expect(await readFile(join(world.workspace, '../away/x.ts'), 'utf8')).toBe('away\n');
      },
      { tags: [] },
    );
  });

  describe.skipIf(process.platform === 'win32')('that became executable', () => {
    const isExecutable = async (name: string) => ((await stat(at(name))).mode & 0o111) !== 0;

    test('waits as a change of its own, in words, and goes back', async () => {
      await run('chmod +x src/x.ts');
      expect(reviewsIn(world.events).get(at('src/x.ts'))).toMatchObject({
        change: 'modified',
        hunks: [{ id: 1, status: 'pending', executable: true, lines: [], writers: [{ kind: 'command' }] }],
      });
      expect(touchedIn(world.events)).toEqual([{ path: 'src/x.ts', added: 0, removed: 0, executable: true }]);
      expect(await ledger().reject({})).toEqual([]);
      expect(await isExecutable('src/x.ts')).toBe(false);
      expect(await ledger().bringBack(at('src/x.ts'), 1)).toEqual([]);
      expect(await isExecutable('src/x.ts')).toBe(true);
      ledger().accept({});
      expect(ledger().paths).toEqual([]);
      expect(await isExecutable('src/x.ts')).toBe(true);
      expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    });

    test('is decided on apart from the text of the same file, also after a reload', once, async () => {
      await run('chmod +x src/x.ts && sed -i s/b/B/ src/x.ts');
      await world.reopen();
      const { hunks = [], mode } = ledger().review(at('src/x.ts'))!;
      expect([hunks.length, mode?.executable]).toEqual([1, true]);
      expect(await ledger().reject({ path: at('src/x.ts'), hunkId: mode!.id })).toEqual([]);
      expect([await isExecutable('src/x.ts'), await read('src/x.ts')]).toEqual([false, 'a\nB\nc\nd\n']);
      await run('chmod +x src/x.ts');
      expect(await ledger().reject({ path: at('src/x.ts'), hunkId: hunks[0]!.id })).toEqual([]);
      expect([await isExecutable('src/x.ts'), await read('src/x.ts')]).toEqual([true, committed['src/x.ts']]);
    });

    test('is said of a new file, and of one that is no text', async () => {
      await writeFile(at('picture.bin'), Buffer.from([0, 1, 2]));
      await settle(world.workspace);
      await run("printf 'echo\\n' > new.sh && chmod +x new.sh picture.bin");
      expect(ledger().review(at('new.sh'))?.mode).toMatchObject({ executable: true });
      expect(reviewsIn(world.events).get(at('picture.bin'))?.hunks).toMatchObject([{ executable: true }]);
      await world.reopen();
      expect(await ledger().reject({})).toEqual([]);
      expect(await isExecutable('picture.bin')).toBe(false);
      await expect(read('new.sh')).rejects.toThrow('ENOENT');
    });

    test('comes back executable where it was deleted, by a decision and by a rewind', once, async () => {
      await chmod(at('src/x.ts'), 0o755);
      await settle(world.workspace);
      await run('rm src/x.ts');
      expect(await ledger().reject({})).toEqual([]);
      expect(await isExecutable('src/x.ts')).toBe(true);
      await run('rm src/x.ts && printf new > src/x.ts');
      expect(ledger().review(at('src/x.ts'))?.mode).toMatchObject({ executable: false });
      await rewind();
      expect([await isExecutable('src/x.ts'), await read('src/x.ts')]).toEqual([true, committed['src/x.ts']]);
    });

    test('is no longer so after a rewind, unless the user has made it so', once, async () => {
      await run('chmod +x src/x.ts crlf.txt');
      await chmod(at('crlf.txt'), 0o644);
      await rewind();
      expect(await isExecutable('src/x.ts')).toBe(false);
      expect(rewoundIn(world.events)).toMatchObject([
        { path: 'src/x.ts', result: 'restored', executable: false },
      ]);
    });

    test('waits no longer where the user took it back', once, async () => {
      await run('chmod +x src/x.ts');
      await chmod(at('src/x.ts'), 0o644);
      await run('true');
      expect(ledger().paths).toEqual([]);
    });
  });

  test('is gone from the review after a rewind', async () => {
    await run('sed -i s/b/B/ src/x.ts; echo new > new.txt');
    await rewind();
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    expect(ledger().paths).toEqual([]);
  });
});

function reviewsIn(events: readonly SessionEvent[]) {
  return new Map(
    events.flatMap(event => (event.type === 'review.changed' ? [[event.path, event.review]] : [])),
  );
}

/** The files of the newest rewind. */
function rewoundIn(events: readonly SessionEvent[]) {
  return events.flatMap(event => (event.type === 'session.rewound' ? [event.files] : [])).at(-1);
}

/** The files on the card of the newest call. */
function touchedIn(events: readonly SessionEvent[]) {
  return events.flatMap(event => (event.type === 'call.ended' ? [event.display.touched] : [])).at(-1);
}

/** What is shown of each file that waits. */
function shownIn(events: readonly SessionEvent[]) {
  const reviews = [...reviewsIn(events).values()].filter(review => review !== undefined);
  return Object.fromEntries(
    reviews.map(({ shown, change, by, hunks }) => {
      const lines = hunks.flatMap(hunk => hunk.lines);
      const signed = lines.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`);
      return [shown, { change, by, lines: signed }];
    }),
  );
}

type Step = {
  readonly does: 'call' | 'command' | 'remove' | 'binary' | 'accept' | 'reject';
  readonly name: string;
  readonly line: number;
  readonly text: string;
};

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('call', 'command', 'command', 'remove', 'binary', 'accept', 'reject'),
  name: fc.constantFrom(...Object.keys(committed), 'new.txt'),
  line: fc.nat(4),
  text: fc.constantFrom('x\n', 'x\ny\n', 'x\r\n', 'Grüße\n'),
});

test.each(Object.entries(ways))(
  'whatever calls and commands wrote by turns %s, deciding on all of it and rewinding give exact bytes',
  async (_way, settle) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async steps => {
        const world = await makeWorkspace(settle);
        try {
          const files = new NodeFileSystem();
          const { changes } = world.session;
          const signal = new AbortController().signal;
          await world.turn('go');
          const place = world.events.length;
          // What a rejection brings back: the text since the last decision.
          const wanted = new Map<string, Buffer | null>();
          const bytesOf = (path: string) => readFile(path).catch(() => null);
          for (const { does, name, line, text } of steps) {
            const path = join(world.workspace, name);
            const bytes = await bytesOf(path);
            if (does === 'accept' || does === 'reject') {
              if (does === 'accept') changes.ledger.accept({ path });
              else expect(await changes.ledger.reject({ path })).toEqual([]);
              if (does === 'reject' && wanted.has(path))
                expect(await bytesOf(path)).toEqual(wanted.get(path));
              wanted.delete(path);
              continue;
            }
            // Tools refuse to write over what is no text.
            const file = bytes && (await files.decode(path, bytes));
            if (does === 'call' && bytes && !file) continue;
            if (!wanted.has(path)) wanted.set(path, bytes);
            const present = file ?? { text: '', format: utf8Format };
            const next = withLine(present.text, line, text);
            if (does === 'call') {
              const writer = { kind: 'call', callId: 'call', words: `Write ${name}` } as const;
              await changes.filesOf(writer, 'unseen').writeText(path, next, present.format);
            } else {
              const writer = { kind: 'command', callId: 'command', line: `edit ${name}` } as const;
              const call = {
                effect: 'run',
                files: changes.filesOf(writer, 'seen'),
                reads: false,
                signal,
              } as const;
              const carryOut = {
                command: () => files.writeText(path, next, present.format),
                remove: () => files.delete(path),
                binary: () => files.writeBytes(path, Buffer.from([0, line])),
              }[does];
              await changes.watch(call, carryOut);
            }
          }
          expect(await changes.ledger.reject({})).toEqual([]);
          for (const [path, bytes] of wanted) expect(await bytesOf(path)).toEqual(bytes);
          await changes.restorer.restore({ from: place, reviews: [] });
          for (const [name, text] of Object.entries(committed))
            expect(await readFile(join(world.workspace, name), 'utf8')).toBe(text);
          expect(await bytesOf(join(world.workspace, 'new.txt'))).toBeNull();
        } finally {
          await world.dispose();
        }
      }),
      { numRuns: runSize({ test: 2, prove: 150 }) },
    );
  },
);

async function makeWorkspace(settle: (workspace: string) => Promise<void>): Promise<DiskWorld> {
  const world = await makeDiskWorld();
  await mkdir(join(world.workspace, 'src'));
  for (const [name, text] of Object.entries(committed)) await writeFile(join(world.workspace, name), text);
  await settle(world.workspace);
  return world;
}

function withLine(content: string, line: number, text: string): string {
  const lines = content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.toSpliced(Math.min(line, lines.length), 1, text).join('');
}
