import { expect, test } from 'vitest';
import { GitCommandTracker } from '../../../src/extension/core/changes/gitCommandTracker.ts';
import type { Part } from '../../../src/protocol/events.ts';
import { makeWorld } from '../../support/conversation.ts';

const commands = (...lines: readonly string[]): { readonly parts: readonly Part[] } => ({
  parts: lines.map((command, at) => ({
    ...({ kind: 'call', id: `c${at}`, name: 'run_shell_command' } as const),
    args: { command },
  })),
});

async function usesOf(...lines: readonly string[]): Promise<number> {
  const answers = [commands(...lines), { parts: [{ kind: 'text' as const, text: '.' }] }];
  const world = makeWorld({ answers, mode: 'yolo' });
  let uses = 0;
  world.session.changes.gitTracker.onDidEnd(() => uses++);
  await world.session.send('Go');
  await world.session.dispose();
  return uses;
}

test('a command uses Git where its line names it, and where it does more than to read', async () => {
  expect(await usesOf('npm run format', 'sed -i s/a/b/ x.ts', 'git status')).toBe(0);
  expect(await usesOf('git add x.ts', 'npm test && git commit -qam Work')).toBe(2);
});

test('between two looks with the same count nothing has begun or ended', async () => {
  const use = new GitCommandTracker();
  const counts = [use.count];
  await use.during(
    async () => {
      expect(use.isRunning).toBe(true);
      counts.push(use.count);
    },
    () => undefined,
  );
  counts.push(use.count);
  expect(use.isRunning).toBe(false);
  expect(new Set(counts).size).toBe(3);
});

test('what a call leaves running continues using it, also where the call fails', async () => {
  const use = new GitCommandTracker();
  let ended = 0;
  use.onDidEnd(() => ended++);
  let exit: () => void = () => {};
  const lasting = new Promise<void>(resolve => {
    exit = resolve;
  });
  const fail = () => Promise.reject(new Error('failed'));
  await expect(use.during(fail, () => lasting)).rejects.toThrow('failed');
  expect([use.isRunning, ended]).toEqual([true, 0]);
  exit();
  await expect.poll(() => ended).toBe(1);
  expect(use.isRunning).toBe(false);
});
