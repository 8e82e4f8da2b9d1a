import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReviewedFile } from '../../src/protocol/changes.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const command = "sed -i s/two/TWO/ src/a.txt crlf.txt && printf 'new\\n' > made.txt";

const committed = {
  'src/a.txt': 'one\ntwo\nthree\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'left.txt': 'untouched\n',
};

describe('a run whose only writer is a command', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await mkdir(join(world.workspace, 'src'));
    await initRepository(world.workspace, committed);
  });

  it('tells hunks, paths and the writer of each changed file, and a rewind puts all back', async () => {
    world.server.script([call('run_shell_command', { command })], [text('Done.')]);
    const { code, out, error } = await world.run([
      ...['--prompt', 'Shout two', '--approval-mode', 'yolo'],
      ...['--output-format', 'stream-json'],
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(await readFile(join(world.workspace, 'src/a.txt'), 'utf8')).toBe('one\nTWO\nthree\n');

    const reported = reviewsIn(eventsOf(out));
    expect([...reported.keys()].sort()).toEqual(
      ['crlf.txt', 'made.txt', 'src/a.txt'].map(name => join(world.workspace, name)),
    );
    for (const { hunks } of reported.values()) {
      expect(hunks).toHaveLength(1);
      expect(hunks[0]).toMatchObject({ status: 'pending', writers: [{ kind: 'command', line: command }] });
    }
    expect(reported.get(join(world.workspace, 'src/a.txt'))!.hunks[0]).toMatchObject({
      ...{ start: 1, count: 1, baseStart: 1, baseCount: 1 },
      lines: expect.arrayContaining([
        expect.objectContaining({ text: 'two' }),
        expect.objectContaining({ text: 'TWO' }),
      ]),
    });

    const rewound = await world.run([
      '--resume',
      'latest',
      '--rewind',
      '1',
      '--output-format',
      'stream-json',
    ]);
    expect(rewound).toMatchObject({ code: 0, error: '' });
    for (const [name, content] of Object.entries(committed))
      expect(await readFile(join(world.workspace, name), 'utf8')).toBe(content);
    expect((await readdir(world.workspace)).sort()).toEqual(['.git', 'crlf.txt', 'left.txt', 'src']);
    expect(reviewsIn(eventsOf(rewound.out)).size).toBe(0);
  });

  it('brings back what nobody had committed, after git reset --hard and git clean', async () => {
    const at = (name: string) => join(world.workspace, name);
    await writeFile(at('left.txt'), 'not committed\n');
    await writeFile(at('notes.txt'), 'untracked\n');
    world.server.script(
      [call('run_shell_command', { command: 'git reset --hard && git clean -fd' })],
      [text('Clean.')],
    );
    const clean = ['--prompt', 'Clean up', '--approval-mode', 'yolo', '--output-format', 'stream-json'];
    const { code, out } = await world.run(clean);
    expect(code).toBe(0);
    expect(await readFile(at('left.txt'), 'utf8')).toBe(committed['left.txt']);
    expect((await readdir(world.workspace)).includes('notes.txt')).toBe(false);
    const reported = reviewsIn(eventsOf(out));
    expect(reported.get(at('left.txt'))?.change).toBe('modified');
    expect(reported.get(at('notes.txt'))).toMatchObject({
      change: 'deleted',
      hunks: [{ writers: [{ kind: 'command' }] }],
    });
    expect(await world.run(['--resume', 'latest', '--rewind', '1'])).toMatchObject({ code: 0, error: '' });
    expect(await readFile(at('left.txt'), 'utf8')).toBe('not committed\n');
    expect(await readFile(at('notes.txt'), 'utf8')).toBe('untracked\n');
  });

  it.skipIf(process.platform === 'win32').each([
    ['under Git', (workspace: string) => initRepository(workspace, {})],
    ['without Git', (workspace: string) => rm(join(workspace, '.git'), { recursive: true })],
  ])('reports every kind of file %s, and a rewind puts bytes and modes back', async (_way, settle) => {
    const { workspace } = world;
    const at = (name: string) => join(workspace, name);
    const pixels = Buffer.from([0x89, 0x50, 0, 1, 2, 0xff, 0xfe]);
    await writeFile(at('image.png'), pixels);
    await writeFile(at('tool.sh'), '#!/bin/sh\necho one\n');
    await writeFile(at('old.sh'), '#!/bin/sh\necho old\n');
    await chmod(at('old.sh'), 0o755);
    await settle(workspace);
    const before = await filesIn(workspace);
    const line = [
      ...["sed -i s/two/TWO/ src/a.txt && printf 'new\\n' > made.txt && printf 'echo\\n' > made.sh"],
      ...["chmod +x tool.sh made.sh && rm left.txt && printf 'a\\0b' > image.png"],
      ...["printf '\\1\\0' > made.bin && mv old.sh renamed.sh && sed -i s/one/ONE/ crlf.txt tool.sh"],
    ].join(' && ');
    world.server.script([call('run_shell_command', { command: line })], [text('Done.')]);
    const stream = ['--output-format', 'stream-json'];
    const { code, out, error } = await world.run([
      ...['--prompt', 'Change it all', '--approval-mode', 'yolo', ...stream],
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });

    const reported = reviewsIn(eventsOf(out));
    const changes = [...reported].map(([path, { change }]) => [relative(workspace, path), change]);
    expect(Object.fromEntries(changes)).toEqual({
      ...{ 'crlf.txt': 'modified', 'src/a.txt': 'modified', 'tool.sh': 'modified', 'image.png': 'modified' },
      ...{ 'made.txt': 'created', 'made.sh': 'created', 'made.bin': 'created', 'renamed.sh': 'created' },
      ...{ 'left.txt': 'deleted', 'old.sh': 'deleted' },
    });
    for (const { hunks } of reported.values()) {
      expect(hunks.length).toBeGreaterThan(0);
      for (const hunk of hunks)
        expect(hunk).toMatchObject({ status: 'pending', writers: [{ kind: 'command', line }] });
    }
    const modesOf = (name: string) =>
      reported.get(at(name))?.hunks.flatMap(({ executable }) => executable ?? []);
    expect(['tool.sh', 'made.sh', 'renamed.sh', 'src/a.txt'].map(modesOf)).toEqual([
      [true],
      [true],
      [true],
      [],
    ]);

    const rewound = await world.run(['--resume', 'latest', '--rewind', '1', ...stream]);
    expect(rewound).toMatchObject({ code: 0, error: '' });
    expect(await filesIn(workspace)).toEqual(before);
    expect(reviewsIn(eventsOf(rewound.out)).size).toBe(0);
  });
});

/** The bytes of each file outside of the repository, and whether it can be run. */
async function filesIn(workspace: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(workspace, path);
    if (!entry.isFile() || /^\.git\b/.test(name)) continue;
    const isExecutable = ((await stat(path)).mode & 0o111) !== 0;
    files.set(name, `${isExecutable} ${(await readFile(path)).toString('hex')}`);
  }
  return files;
}

/** What waits at the end, by path. */
function reviewsIn(events: readonly SessionEvent[]): ReadonlyMap<string, ReviewedFile> {
  const reviews = new Map<string, ReviewedFile>();
  for (const event of events) {
    if (event.type !== 'review.changed') continue;
    if (event.review) reviews.set(event.path, event.review);
    else reviews.delete(event.path);
  }
  return reviews;
}
