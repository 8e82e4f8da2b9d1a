import { expect, test } from 'vitest';
import { describeTime, Stages } from '../../scripts/stages.ts';

test('a stage says where it is, which part it is at, that it still lives, and how long it took', async () => {
  const lines: string[] = [];
  const stages = new Stages(2, { write: line => void lines.push(line), silenceMs: 5 });
  await stages.run('Building', async notify => {
    notify('Fetching (1 of 2)');
    await expect.poll(() => lines.some(line => line.includes('still at it'))).toBe(true);
  });
  expect(lines.slice(0, 2)).toEqual(['[1/2] Building …', '      Fetching (1 of 2) …']);
  expect(lines.find(line => line.includes('still'))).toMatch(/^ {6}still at it after \d+ s$/);
  expect(lines.at(-1)).toMatch(/^ {6}done in \d+ s$/);

  lines.length = 0;
  await expect(stages.run('Starting', () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect(lines).toEqual(['[2/2] Starting …']);
});

test('times are as people say them', () => {
  expect([1, 59_400, 60_000, 63_000, 3_600_000].map(describeTime)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '1 min 3 s',
    '60 min',
  ]);
});
