import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { plainText } from '../../../src/extension/platform/fileSystem.ts';
import type { Hunk } from '../../../src/extension/review/fileReview.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { dose } from '../../support/dose.ts';
import { initRepository } from '../../support/gitRepository.ts';
import { fc } from '../../support/properties.ts';

const committed = {
  'src/x.ts': 'a\nb\nc\nd\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'marked.txt': '\ufeffone\ntwo\n',
};

describe('what a command changed', () => {
  let world: DiskWorld;
  beforeEach(async () => {
    world = await makeCommitted();
  });
  afterEach(() => world.dispose());

  const ledger = () => world.session.changes.ledger;
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8');
  const run = (command: string) => world.turn('go', ['run_shell_command', { command }]);
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
    const told = reviewsIn(world.events).get(at('src/x.ts'));
    expect(told?.hunks[0]?.writers).toEqual([{ kind: 'command', callId: 'call1', line: expect.any(String) }]);
    expect(await ledger().reject({})).toEqual([]);
    for (const [name, text] of Object.entries(committed)) expect(await read(name)).toBe(text);
    await expect(read('new.txt')).rejects.toThrow('ENOENT');
  });

  test('is no more than the command’s: what was saved before it stays', async () => {
    await writeFile(at('src/x.ts'), 'a\nb\nc\nd\nmine\n');
    await run('sed -i s/b/B/ src/x.ts');
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe('a\nb\nc\nd\nmine\n');
  });

  test('joins what a tool wrote there, which names both', async () => {
    await world.turn(
      'go',
      ['write_file', { file_path: 'src/x.ts', content: 'a\nB\nc\nd\n' }],
      ['run_shell_command', { command: 'sed -i s/B/BB/ src/x.ts' }],
    );
    expect(hunksOf('src/x.ts').map(({ writers }) => writers?.map(({ kind }) => kind))).toEqual([
      ['call', 'command'],
    ]);
    await ledger().reject({});
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
  });

  test('is the command’s also where an editor tells of it first', async () => {
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

  test('is gone from the review after a rewind', async () => {
    await run('sed -i s/b/B/ src/x.ts; echo new > new.txt');
    const started = world.events.find(event => event.type === 'turn.started');
    const turnId = started?.type === 'turn.started' ? started.turnId : '';
    await world.session.rewind({ kind: 'turn', turnId }, 'files');
    expect(await read('src/x.ts')).toBe(committed['src/x.ts']);
    expect(ledger().paths).toEqual([]);
  });
});

function reviewsIn(events: readonly SessionEvent[]) {
  return new Map(
    events.flatMap(event => (event.type === 'review.changed' ? [[event.path, event.review]] : [])),
  );
}

type Step = {
  readonly does: 'call' | 'command' | 'accept' | 'reject';
  readonly name: string;
  readonly line: number;
  readonly text: string;
};

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('call', 'command', 'command', 'accept', 'reject'),
  name: fc.constantFrom(...Object.keys(committed), 'new.txt'),
  line: fc.nat(4),
  text: fc.constantFrom('x\n', 'x\ny\n', 'x\r\n', 'Grüße\n'),
});

test('whatever calls and commands wrote by turns, deciding on all of it and rewinding give exact bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async steps => {
      const world = await makeCommitted();
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
            if (does === 'reject' && wanted.has(path)) expect(await bytesOf(path)).toEqual(wanted.get(path));
            wanted.delete(path);
            continue;
          }
          if (!wanted.has(path)) wanted.set(path, bytes);
          const present = bytes ? await files.readText(path) : { text: '', format: plainText };
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
            await changes.watch(call, () => files.writeText(path, next, present.format));
          }
        }
        expect(await changes.ledger.reject({})).toEqual([]);
        for (const [path, bytes] of wanted) expect(await bytesOf(path)).toEqual(bytes);
        await changes.restore({ from: place, reviews: [] });
        for (const [name, text] of Object.entries(committed))
          expect(await readFile(join(world.workspace, name), 'utf8')).toBe(text);
        expect(await bytesOf(join(world.workspace, 'new.txt'))).toBeNull();
      } finally {
        await world.dispose();
      }
    }),
    { numRuns: dose({ test: 4, prove: 150 }) },
  );
});

async function makeCommitted(): Promise<DiskWorld> {
  const world = await makeDiskWorld();
  await mkdir(join(world.workspace, 'src'));
  await initRepository(world.workspace, committed);
  return world;
}

function withLine(content: string, line: number, text: string): string {
  const lines = content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.toSpliced(Math.min(line, lines.length), 1, text).join('');
}
