import { describe, expect, test } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { activeMsAt, waitedMsAt } from '../../src/protocol/fold/activity.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { activeTopic, emptySession, type SessionState } from '../../src/protocol/state.ts';
import { called, chapter, notify, prompt, rested, said, spent, started } from '../support/story.ts';

const begun = (number: number): SessionEventBody => ({
  type: 'step.started',
  stepId: `s${number}`,
  number,
  model: 'gemini',
});

const times = ({ chapters }: SessionState) => chapters.map(({ activeMs }) => activeMs / 1_000);

describe('the time that the agent worked in a chapter', () => {
  test('is shared by the chapters of one turn', () => {
    const state = notify(started, prompt('Go'), 2, chapter('One'), 12, chapter('Two'), 17, rested());
    expect(times(state)).toEqual([2, 10, 5]);
  });

  test('leaves out the pauses between turns', () => {
    const first = [started, prompt('Go'), 1, chapter('One'), 11, rested()];
    const state = notify(...first, 1_000, prompt('More', 't2'), 1_004, rested('t2'));
    expect(times(state)).toEqual([1, 14]);
  });

  test('of a turn that continues in the chapter of the one before ends with that chapter', () => {
    const first = [started, prompt('Go'), chapter('One'), 10, rested()];
    const state = notify(...first, 100, prompt('More', 't2'), 103, chapter('Two'), 108, rested('t2'));
    expect(times(state)).toEqual([0, 13, 5]);
    expect(state.chapters.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  });

  test('counts a stopped turn and its second attempt, not what lies between', () => {
    const stopped = { type: 'turn.ended', turnId: 't1', end: { kind: 'stopped' } } as const;
    const again = { type: 'turn.retried', turnId: 't1' } as const;
    expect(times(notify(started, prompt('Go'), 3, stopped, 500, again, 507, rested()))).toEqual([10]);
  });

  test('ends with the last sign of life where an interruption ended the turn', () => {
    const state = notify(started, prompt('Go'), 5, said('Well'), 90_000);
    const lastActiveAt = state.chapters[0]!.startedAt + 5_000;
    const end: SessionEventBody = {
      type: 'turn.ended',
      turnId: 't1',
      end: { kind: 'stopped' },
      lastActiveAt,
    };
    const resumed = reduce(state, { ...end, seq: state.seq + 1, at: lastActiveAt + 86_400_000 });
    expect(times(resumed)).toEqual([5]);
    expect(resumed.chapters[0]!.endedAt).toBe(lastActiveAt);
  });

  test('leaves out waits for the user, which are counted apart', () => {
    const waited = ({ chapters }: SessionState) => chapters.map(({ waitedMs = 0 }) => waitedMs / 1_000);
    const [call] = called({ tool: 'run_shell_command', args: {} } as never, {} as never);
    const asked: SessionEventBody = {
      type: 'call.asked',
      callId: 'c',
      ask: { reason: 'Commands ask.', subject: { kind: 'other', detail: '' }, always: [] },
    };
    const decided: SessionEventBody = { type: 'call.decided', callId: 'c', decision: 'once' };
    const asking = [
      started,
      prompt('Go'),
      chapter('One'),
      2,
      { ...call, callId: 'c' } as SessionEventBody,
      asked,
    ];
    const state = notify(...asking, 60, decided, 65, chapter('Two'), 68, rested());
    expect([times(state), waited(state)]).toEqual([
      [0, 7, 3],
      [0, 58, 0],
    ]);
    // A turn that is stopped while it asks has waited until then.
    const stopped = notify(...asking, 12, { type: 'turn.ended', turnId: 't1', end: { kind: 'stopped' } });
    expect([times(stopped), waited(stopped)]).toEqual([
      [0, 2],
      [0, 10],
    ]);
    // The clock of a chapter stands while it waits.
    const waiting = notify(...asking);
    const [, now] = waiting.chapters;
    const later = now!.startedAt + 30_000;
    expect(activeMsAt(waiting, now!, later)).toBe(2_000);
    expect(waitedMsAt(waiting, now!, later)).toBe(28_000);
  });

  test('does not run backward with a clock that was set back', () => {
    expect(times(notify(started, 50, prompt('Go'), 10, rested()))).toEqual([0]);
  });
});

describe('what a chapter cost', () => {
  test('is the sum of the steps in it whose price is known', () => {
    const state = notify(
      started,
      prompt('Go'),
      spent(10, 1, 0.5),
      chapter('One'),
      spent(10, 1),
      spent(10, 1, 0.25),
      chapter('Two'),
    );
    expect(state.chapters.map(({ cost }) => cost)).toEqual([undefined, 0.5, 0.25]);
    expect(state.cost).toBe(0.75);
  });

  test('is unknown, not nothing, where no price is known; a price of nothing is known', () => {
    expect(notify(started, prompt('Go'), spent(10, 1)).cost).toBeUndefined();
    expect(notify(started, prompt('Go'), spent(10, 1, 0)).cost).toBe(0);
  });

  test('has the step that began it, so a finished chapter does not grow with the next prompt', () => {
    const first = [
      started,
      prompt('Go'),
      begun(1),
      spent(10, 1, 0.5),
      chapter('One'),
      begun(2),
      spent(20, 2),
    ];
    const before = notify(...first, 10, rested());
    const after = notify(
      ...first,
      10,
      rested(),
      100,
      prompt('More', 't2'),
      begun(1),
      107,
      spent(40, 4),
      chapter('Two'),
      begun(2),
      spent(80, 8, 0.25),
      110,
      rested('t2'),
    );
    const { chapters } = after;
    expect(chapters.map(({ usage }) => usage.prompt)).toEqual([0, 30, 120]);
    expect(chapters.map(({ cost, unpriced }) => [cost, unpriced])).toEqual([
      [undefined, undefined],
      [0.5, true],
      [0.25, true],
    ]);
    expect(times(after)).toEqual([0, 10, 10]);
    expect(before.chapters[1]).toMatchObject({ usage: chapters[1]!.usage, activeMs: chapters[1]!.activeMs });
    expect(after.usage).toMatchObject({ prompt: 150, output: 15 });
    expect(after.contextTokens).toBe(88);
    // The prompts and the chapters below them say the same.
    const prompts = chapters.flatMap(({ items }) =>
      [...iterate(items)].filter(({ type }) => type === 'prompt'),
    );
    expect(prompts).toMatchObject([
      { spent: { usage: { prompt: 30 } } },
      { spent: { usage: { prompt: 120 } } },
    ]);
  });

  test('is nothing for the second that a step began', () => {
    const two = notify(started, prompt('Go'), begun(1), spent(10, 1), chapter('One'), chapter('Two'));
    expect(two.chapters.map(({ usage }) => usage.prompt)).toEqual([0, 10, 0]);
  });
});

describe('renaming', () => {
  const rename = (chapterId: string, title: string): SessionEventBody => ({
    type: 'chapter.renamed',
    chapterId,
    title,
  });

  test('gives an earlier chapter another title and leaves the topic', () => {
    const before = notify(started, prompt('Go'), chapter('One'), said('a'), chapter('Two'));
    const after = reduce(before, { ...rename('one', 'First'), seq: before.seq + 1, at: 0 });
    expect(after.chapters.map(({ title }) => title)).toEqual(['', 'First', 'Two']);
    expect(activeTopic(after)).toBe('Two');
    expect(after.chapters[2]).toBe(before.chapters[2]);
    expect(after.chapters[1]!.items).toBe(before.chapters[1]!.items);
  });

  test('of the live chapter changes the active topic', () => {
    const state = notify(started, prompt('Go'), chapter('One'), rename('one', 'Better'));
    expect(activeTopic(state)).toBe('Better');
  });

  test('of a chapter that is not there changes nothing', () => {
    const before = notify(started, prompt('Go'));
    expect(notify(started, prompt('Go'), rename('gone', 'x')).chapters).toEqual(before.chapters);
  });
});

describe('a new chapter', () => {
  test('ends the one before with its summary, and only moves forward', () => {
    const state = notify(
      started,
      prompt('Go'),
      chapter('One'),
      5,
      chapter('Two', 'It was one.'),
      chapter('One', 'And two.'),
    );
    expect(
      state.chapters.map(({ number, title, summary, status }) => [number, title, summary, status]),
    ).toEqual([
      [0, '', undefined, 'done'],
      [1, 'One', 'It was one.', 'done'],
      [2, 'Two', 'And two.', 'done'],
      [3, 'One', undefined, 'live'],
    ]);
  });

  test('gives a summary also to the opening, and to a chapter that a turn had ended', () => {
    const state = notify(started, prompt('Go'), rested(), prompt('More', 't2'), chapter('One', 'Talked.'));
    expect(state.chapters[0]).toMatchObject({ summary: 'Talked.', status: 'done' });
  });

  test('without a summary keeps the one before as it is', () => {
    const state = notify(started, prompt('Go'), chapter('One', 'Talked.'), chapter('Two'));
    expect(state.chapters.map(({ summary }) => summary)).toEqual(['Talked.', undefined, undefined]);
  });

  test('counts its own files and calls', () => {
    const touched = (added: number) => ({
      display: { summary: '', touched: [{ path: 'a.ts', added, removed: 0 }] },
    });
    const state = notify(
      ...[started, prompt('Go'), chapter('One'), ...called({}, touched(1)), ...called({}, touched(2))],
      chapter('Two'),
      ...called({}, touched(4)),
      ...called({}, { ...touched(8), outcome: 'failed' as const }),
    );
    const [, one, two] = state.chapters;
    expect([one?.calls, one?.files]).toEqual([2, [{ path: 'a.ts', added: 3, removed: 0 }]]);
    expect([two?.calls, two?.files]).toEqual([2, [{ path: 'a.ts', added: 4, removed: 0 }]]);
  });
});

test('the empty session has one chapter that worked no time', () => {
  expect(times(emptySession)).toEqual([0]);
});
