import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import type { Hunk } from '../../../src/extension/review/hunk.ts';
import { writerNames } from '../../../src/protocol/changes.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { initRepository, git as runGit } from '../../support/gitRepository.ts';
import { UserEditor } from '../../support/userEditor.ts';

const committed = { 'x.ts': 'a\nb\nc\nd\n', 'y.ts': 'y\n' };
const typed = (text: string) => `mine\n${text}`;

describe('while a command runs', () => {
  let world: DiskWorld;
  let user: UserEditor;
  beforeEach(async () => {
    user = new UserEditor();
    world = await makeDiskWorld(undefined, { user });
    await initRepository(world.workspace, committed);
  });
  afterEach(() => world.dispose());

  const ledger = () => world.session.changes.ledger;
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8');
  const hunksOf = (name: string): readonly Hunk[] => ledger().review(at(name))?.hunks ?? [];
  const placesIn = (name: string) => hunksOf(name).map(({ start, count }) => [start, count]);
  /** `others` are at work between the first and the second command of the line. */
  const run = async (line: string, others: () => Promise<void>, then = 'true') => {
    const turn = world.turn('go', [
      'run_shell_command',
      {
        command: `${line}; touch ../begun; until [ -e ../go ] || [ ! -d "$PWD" ]; do sleep 0.02; done; ${then}`,
      },
    ]);
    await expect
      .poll(() => readFile(at('../begun')).then(Boolean, () => false), { timeout: 60_000 })
      .toBe(true);
    await others();
    await writeFile(at('../go'), '');
    await turn;
  };

  test('what another call of the session writes is that call’s, though the editor reports its save later', async () => {
    const { changes } = world.session;
    const agent = changes.filesOf({ kind: 'command', callId: 'agent', line: 'an agent' }, 'unseen');
    const own = changes.filesOf({ kind: 'call', callId: 'write', words: 'Write x.ts' }, 'unseen');
    const { signal } = new AbortController();
    const watch = { effect: 'run', files: agent, reads: false, signal, callId: 'agent' } as const;
    const { changes: found } = await changes.watch(watch, async () => {
      const reported = new Promise<void>(resolve => user.listen(() => resolve()));
      await own.writeText(at('x.ts'), 'a\nB\nc\nd\n', utf8Format);
      await reported;
    });
    expect(found?.touched).toEqual([]);
    expect(hunksOf('x.ts').flatMap(writerNames)).toEqual(['Write x.ts']);
  });

  test('what a call wrote right before is the call’s, though the editor reports its save while another session writes', async () => {
    const { changes } = world.session;
    const own = changes.filesOf({ kind: 'call', callId: 'write', words: 'Write x.ts' }, 'unseen');
    const other = world.agent.newSession();
    try {
      const files = other.changes.filesOf({ kind: 'call', callId: 'other', words: 'Write' }, 'unseen');
      const agent = changes.filesOf({ kind: 'command', callId: 'agent', line: 'an agent' }, 'unseen');
      const { signal } = new AbortController();
      const watch = { effect: 'run', files: agent, reads: false, signal, callId: 'agent' } as const;
      const report = user.holdReports();
      await own.writeText(at('x.ts'), 'a\nB\nc\nd\n', utf8Format);
      const { changes: found } = await changes.watch(watch, async () => {
        await files.writeText(at('x.ts'), 'a\nB\nc\nD\n', utf8Format);
        report();
      });
      expect(found?.touched).toEqual([]);
      expect(hunksOf('x.ts').flatMap(writerNames)).toEqual(['Write x.ts']);
    } finally {
      await other.dispose();
    }
  });

  test('what a user types and saves in another file is theirs', async () => {
    await run('sed -i s/b/B/ x.ts', async () => {
      await user.type(at('y.ts'), typed);
      await user.save(at('y.ts'));
    });
    expect(ledger().paths).toEqual([at('x.ts')]);
    await ledger().reject({});
    expect([await read('x.ts'), await read('y.ts')]).toEqual([committed['x.ts'], 'mine\ny\n']);
  });

  test('what a user types and saves in the same file is theirs, between two writes of the command', async () => {
    await run(
      'sed -i s/b/B/ x.ts',
      async () => {
        await user.type(at('x.ts'), typed);
        await user.save(at('x.ts'));
      },
      'sed -i s/d/D/ x.ts',
    );
    expect(placesIn('x.ts')).toEqual([
      [2, 1],
      [4, 1],
    ]);
    await ledger().reject({});
    expect(await read('x.ts')).toBe('mine\na\nb\nc\nd\n');
  });

  test('what a formatter makes of it on saving is theirs, too', async () => {
    await run('sed -i s/b/B/ x.ts', async () => {
      await user.type(at('x.ts'), text => `${text}  e\n`);
      await user.save(at('x.ts'), text => text.replaceAll(/^ +/gm, '').replace('c\n', 'c;\n'));
    });
    expect(placesIn('x.ts')).toEqual([[1, 1]]);
    await ledger().reject({});
    expect(await read('x.ts')).toBe('a\nb\nc;\nd\ne\n');
  });

  test('what stands unsaved in an editor is theirs, also where the command writes the file beneath it', async () => {
    await user.type(at('x.ts'), typed);
    await run('sed -i s/c/C/ x.ts', () => user.type(at('x.ts'), text => `${text}more\n`));
    expect(hunksOf('x.ts')).toEqual([]);
    expect(await user.readText(at('x.ts'))).toMatchObject({ text: 'mine\na\nb\nc\nd\nmore\n' });
    await ledger().reject({});
    expect(await read('x.ts')).toBe('a\nb\nC\nd\n');
    // The user takes the disk's text into the editor: now the command's change stands there.
    user.revert(at('x.ts'));
    await ledger().catchUp(at('x.ts'));
    expect(placesIn('x.ts')).toEqual([[2, 1]]);
    await ledger().reject({});
    expect(await read('x.ts')).toBe(committed['x.ts']);
  });

  test('what another session of the window writes is nobody else’s once the editor reports its save', async () => {
    const other = world.agent.newSession();
    try {
      const files = other.changes.filesOf({ kind: 'call', callId: 'other', words: 'Write' }, 'unseen');
      await run('sed -i s/b/B/ x.ts', async () => {
        const reported = new Promise<void>(resolve => user.listen(() => resolve()));
        const { text, format } = await files.readText(at('x.ts'));
        await files.writeText(at('x.ts'), `${text}e\n`, format);
        await reported;
      });
      expect(placesIn('x.ts')).toEqual([[1, 1]]);
      await other.changes.ledger.reject({});
      expect(await read('x.ts')).toBe('a\nB\nc\nd\n');
      await ledger().reject({});
      expect(await read('x.ts')).toBe(committed['x.ts']);
    } finally {
      await other.dispose();
    }
  });

  test('what another session of the window writes is that session’s', async () => {
    const other = world.agent.newSession();
    try {
      const writer = { kind: 'call', callId: 'other', words: 'Write x.ts' } as const;
      const files = other.changes.filesOf(writer, 'unseen');
      await run(
        'sed -i s/b/B/ x.ts',
        async () => {
          const { text, format } = await files.readText(at('x.ts'));
          await files.writeText(at('x.ts'), `${text}e\n`, format);
          await files.writeText(at('y.ts'), 'other\n', format);
        },
        'sed -i s/d/D/ x.ts',
      );
      expect(ledger().paths).toEqual([at('x.ts')]);
      expect(placesIn('x.ts')).toEqual([
        [1, 1],
        [3, 1],
      ]);
      expect(other.changes.ledger.paths).toEqual([at('x.ts'), at('y.ts')]);
      await ledger().reject({});
      expect(await read('x.ts')).toBe('a\nb\nc\nd\ne\n');
    } finally {
      await other.dispose();
    }
  });

  test('going back to before it keeps what was saved meanwhile', async () => {
    await run('sed -i s/b/B/ x.ts', async () => {
      await user.type(at('x.ts'), text => `${text}e\n`);
      await user.save(at('x.ts'));
    });
    const started = world.events.find(event => event.type === 'turn.started');
    const turnId = started?.type === 'turn.started' ? started.turnId : '';
    await world.session.rewind({ kind: 'turn', turnId }, 'files');
    expect(await read('x.ts')).toBe('a\nb\nc\nd\ne\n');
  });

  test('a branch that the user switches to is not a background command’s, which is compared with it from then on', async () => {
    const git = (...args: string[]) => runGit(world.workspace, ...args);
    await git('checkout', '-qb', 'other');
    await writeFile(at('x.ts'), 'a\nother\nc\nd\n');
    await git('commit', '-qam', 'Other');
    await git('checkout', '-q', '-');
    const server =
      'until [ -e ../write ]; do sleep 0.02; done; sed -i s/d/D/ x.ts; touch ../written; exec sleep 60';
    await world.turn('go', ['run_shell_command', { command: server, is_background: true, delay_ms: 0 }]);
    const pid = backgroundPid(world);
    try {
      await git('checkout', '-q', 'other');
      await world.session.changes.restorer.plan(0);
      expect(ledger().paths).toEqual([]);
      await writeFile(at('../write'), '');
      await expect
        .poll(() => readFile(at('../written')).then(Boolean, () => false), { timeout: 60_000 })
        .toBe(true);
      await world.session.changes.restorer.plan(0);
      expect(placesIn('x.ts')).toEqual([[3, 1]]);
      await ledger().reject({});
      expect(await read('x.ts')).toBe('a\nother\nc\nd\n');
    } finally {
      process.kill(-pid);
    }
  });

  test('a branch that somebody switches to while a call runs names nobody, and goes back', async () => {
    const git = (...args: string[]) => runGit(world.workspace, ...args);
    await git('checkout', '-qb', 'other');
    await writeFile(at('x.ts'), 'a\nother\nc\nd\n');
    await git('commit', '-qam', 'Other');
    await git('checkout', '-q', '-');
    await run('sed -i s/y/Y/ y.ts', async () => void (await git('checkout', '-q', 'other')));
    expect(hunksOf('x.ts').map(writerNames)).toEqual([
      [expect.stringMatching(/^another program, while sed .* ran$/)],
    ]);
    expect(hunksOf('y.ts').map(writerNames)).toEqual([[expect.stringMatching(/^sed /)]]);
    await ledger().reject({});
    expect([await read('x.ts'), await read('y.ts')]).toEqual([committed['x.ts'], committed['y.ts']]);
  });

  test('a watcher in the background may have written it, so the hunk does not name the command', async () => {
    const watcher =
      'until [ -e ../build ]; do sleep 0.02; done; echo built > y.ts; touch ../built; exec sleep 60';
    await world.turn('go', ['run_shell_command', { command: watcher, is_background: true, delay_ms: 0 }]);
    const pid = backgroundPid(world);
    try {
      await run('echo', async () => {
        await writeFile(at('../build'), '');
        await expect
          .poll(() => readFile(at('../built')).then(Boolean, () => false), { timeout: 60_000 })
          .toBe(true);
      });
      expect(hunksOf('y.ts').map(writerNames)).toEqual([
        [expect.stringMatching(/^another program, while echo; .* ran$/)],
      ]);
    } finally {
      process.kill(-pid);
    }
  });
});

function backgroundPid({ events }: DiskWorld): number {
  const [summary = ''] = events.flatMap(event =>
    event.type === 'call.ended' ? [event.display.summary] : [],
  );
  return Number(/process (\d+)/.exec(summary)?.[1]);
}

describe('what another session of the window writes', () => {
  const world = eachTest(() => makeDiskWorld());
  beforeEach(async () => {
    await initRepository(world.workspace, committed);
  });

  const at = (name: string) => join(world.workspace, name);
  const review = (name: string) => world.session.changes.ledger.review(at(name));
  const writing = { kind: 'call', callId: 'other', words: 'Write x.ts' } as const;

  test('names that session in a hunk that it reaches into', async () => {
    const other = world.agent.newSession();
    try {
      other.rename('Tests');
      await world.turn('go', ['run_shell_command', { command: 'sed -i s/b/B/ x.ts' }]);
      const files = other.changes.filesOf(writing, 'unseen');
      await files.writeText(at('x.ts'), 'a\nBB\nc\nd\n', utf8Format);
      expect(review('x.ts')!.hunks.map(writerNames)).toEqual([
        [expect.stringMatching(/^sed/), 'session Tests'],
      ]);
      const [problem] = await world.session.changes.ledger.reject({});
      expect(problem?.message).toMatch(/^session Tests edited this change/);
    } finally {
      await other.dispose();
    }
  });

  test('is its own, also where it does again what was rejected here', async () => {
    const other = world.agent.newSession();
    try {
      await world.turn('go', ['run_shell_command', { command: 'sed -i /b/d x.ts' }]);
      expect(await world.session.changes.ledger.reject({})).toEqual([]);
      const files = other.changes.filesOf(writing, 'unseen');
      await files.writeText(at('x.ts'), 'a\nc\nd\n', utf8Format);
      expect(review('x.ts')?.hunks.filter(({ status }) => status === 'pending') ?? []).toEqual([]);
      expect(other.changes.ledger.review(at('x.ts'))?.hunks).toHaveLength(1);
      await world.session.changes.ledger.reject({});
      expect(await readFile(at('x.ts'), 'utf8')).toBe('a\nc\nd\n');
    } finally {
      await other.dispose();
    }
  });
});
