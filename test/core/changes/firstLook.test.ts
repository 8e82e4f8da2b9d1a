import { expect, test } from 'vitest';
import { makeWorld } from '../../support/conversation.ts';

test('the first look at a workspace is made beside the first request, and no answer waits for it', async () => {
  const scans: number[] = [];
  const world = makeWorld({
    answers: [{ parts: [{ kind: 'text', text: '.' }] }],
    versionControl: {
      changedFiles: () => {
        // A macrotask later the request has been handed to the provider.
        setImmediate(() => scans.push(world.model.requests.length));
        return new Promise(() => {});
      },
      readCommitted: async () => new Map(),
    },
  });
  await world.session.send('Go');
  await expect.poll(() => scans).toEqual([1]);
  expect(world.events.at(-1)?.type).toBe('turn.ended');
});
