import { expect, test } from 'vitest';
import type { Part } from '../../../src/protocol/events.ts';
import { makeWorld } from '../../support/conversation.ts';

const commands = (...lines: readonly string[]): { readonly parts: readonly Part[] } => ({
  parts: lines.map((command, at) => ({
    ...({ kind: 'call', id: `c${at}`, name: 'run_shell_command' } as const),
    args: { command },
  })),
});

test('a command that is known to only read is not told to be out of sight without Git, others are', async () => {
  const world = makeWorld({
    answers: [commands('ls', 'npm test', 'git status && npm test'), { parts: [{ kind: 'text', text: '.' }] }],
    mode: 'yolo',
  });
  await world.session.send('Go');
  const said = world.events.flatMap(event =>
    event.type === 'call.ended' ? [event.display.uncovered?.slice(0, 11)] : [],
  );
  expect(said).toEqual([undefined, 'Without Git', 'Without Git']);
  await world.session.dispose();
});
