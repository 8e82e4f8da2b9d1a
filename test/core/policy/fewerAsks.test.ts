/*
 * How often a user is asked over a day's command lines, who lets each kind of thing run for the session when they may.
 */

import { expect, test } from 'vitest';
import type { CommandNeeds } from '../../../src/extension/platform/sandbox.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';
import { ordinaryWork } from './ordinaryWork.ts';

const nothing: CommandNeeds = { write: [], hosts: [], outside: false };

/** Lines that asked. One that the sandbox held back counts as it is run again with what it needs. */
async function countAsks(isOn: boolean): Promise<readonly string[]> {
  const sandbox = { isOn: () => isOn, whyMissing: async () => undefined, grants: { write: [], hosts: [] } };
  const world = await PolicyWorld.make({ sandbox });
  const asked: string[] = [];
  try {
    for (const { command, needs } of ordinaryWork) {
      const outside = needs.includes('outside');
      const wanted = outside ? { ...nothing, outside } : { ...nothing, hosts: needs };
      const verdict = await world.run(command, 'default', isOn && needs.length > 0 ? wanted : undefined);
      expect(verdict.kind, command).not.toBe('deny');
      if (verdict.kind !== 'ask') continue;
      asked.push(command);
      const lasting = verdict.always.find(({ scope }) => scope === 'session');
      if (lasting) await world.policy.remember(lasting);
    }
  } finally {
    await world.dispose();
  }
  return asked;
}

test('over 200 lines of ordinary work the sandbox leaves at most 15 of 100 asks', async () => {
  expect(ordinaryWork.length).toBeGreaterThanOrEqual(200);
  expect(new Set(ordinaryWork.map(({ command }) => command)).size).toBe(ordinaryWork.length);
  const [without, within] = [await countAsks(false), await countAsks(true)];
  expect(
    within.length,
    `${without.length} asks without, and within: ${within.join(' | ')}`,
  ).toBeLessThanOrEqual(without.length * 0.15);
});
