import { expect, test } from 'vitest';
import { parseJournalLine } from '../../../src/extension/core/recording/parseEvent.ts';

function nested(times: number): string {
  const open = '{"seq":1,"at":1,"type":"agent.event","callId":"c","agent":"a","event":';
  return `${open.repeat(times)}{"type":"notice.shown","text":"Hm"}${'}'.repeat(times)}`;
}

test('a subagent has no subagents, so a line that says so is none of ours, however deep it goes', () => {
  expect(parseJournalLine(nested(1))).toMatchObject({
    callId: 'c',
    agent: 'a',
    event: { type: 'notice.shown' },
  });
  for (const times of [2, 100, 100_000]) expect(parseJournalLine(nested(times))).toBeUndefined();
});
