import { expect, test } from 'vitest';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { Clock } from '../../src/extension/platform/clock.ts';
import { ManualClock } from '../support/manualClock.ts';

test.each<[string, Clock]>([
  ['the real', new SystemClock()],
  ['the manual', new ManualClock()],
])('%s clock rings after its time and not when that was undone', async (_name, clock) => {
  const rung: string[] = [];
  clock.after(5, () => rung.push('first'));
  clock.after(5, () => rung.push('undone'))();
  const since = clock.now();
  while (clock.now() - since < 50) await clock.sleep(10);
  expect(rung).toEqual(['first']);
});

test('no id looks like an option where it is an argument', () => {
  const clock = new SystemClock();
  const ids = Array.from({ length: 5000 }, () => clock.newId());
  expect(ids.filter(id => !/^\w[\w-]{11}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
