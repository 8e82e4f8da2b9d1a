import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewedFile } from '../../src/protocol/changes.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';
import { eventsOf } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const command = "sed -i s/two/TWO/ src/a.txt crlf.txt && printf 'new\\n' > made.txt";

const committed = {
  'src/a.txt': 'one\ntwo\nthree\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'left.txt': 'untouched\n',
};

describe('a run whose only writer is a command', () => {
  let world: HeadlessWorld;
  beforeEach(async () => {
    world = await HeadlessWorld.make();
    await mkdir(join(world.workspace, 'src'));
    await initRepository(world.workspace, committed);
  });
  afterEach(() => world.dispose());

  it('tells hunks, paths and the writer of each changed file, and a rewind puts all back', async () => {
    world.server.script([call('run_shell_command', { command })], [text('Done.')]);
    const { code, out, error } = await world.run([
      ...['--prompt', 'Shout two', '--approval-mode', 'yolo'],
      ...['--output-format', 'stream-json'],
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(await readFile(join(world.workspace, 'src/a.txt'), 'utf8')).toBe('one\nTWO\nthree\n');

    const told = reviewsIn(eventsOf(out));
    expect([...told.keys()].sort()).toEqual(
      ['crlf.txt', 'made.txt', 'src/a.txt'].map(name => join(world.workspace, name)),
    );
    for (const { hunks } of told.values()) {
      expect(hunks).toHaveLength(1);
      expect(hunks[0]).toMatchObject({ status: 'pending', writers: [{ kind: 'command', line: command }] });
    }
    expect(told.get(join(world.workspace, 'src/a.txt'))!.hunks[0]).toMatchObject({
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
    const told = reviewsIn(eventsOf(out));
    expect(told.get(at('left.txt'))?.change).toBe('modified');
    expect(told.get(at('notes.txt'))).toMatchObject({
      change: 'deleted',
      hunks: [{ writers: [{ kind: 'command' }] }],
    });
    expect(await world.run(['--resume', 'latest', '--rewind', '1'])).toMatchObject({ code: 0, error: '' });
    expect(await readFile(at('left.txt'), 'utf8')).toBe('not committed\n');
    expect(await readFile(at('notes.txt'), 'utf8')).toBe('untracked\n');
  });
});

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
