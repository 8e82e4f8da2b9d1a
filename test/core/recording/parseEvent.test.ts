import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../../src/extension/core/recording/parseEvent.ts';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';

const line = (event: object) => JSON.stringify({ seq: 1, at: 1, ...event });

describe('a line of a journal', () => {
  test.for([
    ['a turn that failed without a sentence', { type: 'turn.ended', turnId: 't', end: { kind: 'failed' } }],
    ['a limit without a number', { type: 'turn.ended', turnId: 't', end: { kind: 'budget', budget: {} } }],
    ['a loop without what repeats', { type: 'turn.ended', turnId: 't', end: { kind: 'loop', loop: {} } }],
    ['a hook without its reason', { type: 'turn.ended', turnId: 't', end: { kind: 'hook' } }],
    [
      'a compression that failed without a sentence',
      { type: 'compression.ended', compressionId: 'c', end: { kind: 'failed', message: true } },
    ],
    ['a price that is no number', { type: 'step.ended', stepId: 's', cost: {}, citations: [] }],
    ['a time that no calendar has', { type: 'session.resumed', at: 1e300 }],
    ['a type that every object has, without a number', { type: '__proto__', seq: undefined }],
  ])('with %s is no event, since it could not be shown', ([, event]) => {
    expect(parseEvent(line(event as object))).toBeUndefined();
  });

  test('of an earlier version with a kind of end of its own is one', () => {
    expect(parseEvent(line({ type: 'turn.ended', turnId: 't', end: { kind: 'stepLimit' } }))).toBeDefined();
  });

  test.for(['__proto__', 'constructor', 'toString'])(
    'of the type %s is one of a version to come, and changes nothing',
    type => {
      const restored = restoreSession([line({ type, path: 'x' }), line({ type: 'session.resumed', seq: 2 })]);
      expect(restored).toMatchObject({ unknown: 1, unreadable: 0, state: { seq: 2 } });
    },
  );

  test('with the highest number there is does not keep what comes behind it from being numbered', () => {
    const lines = [
      line({ type: 'session.resumed' }),
      line({ type: 'session.resumed', seq: Number.MAX_SAFE_INTEGER }),
    ];
    const { state, unreadable } = restoreSession(lines);
    expect({ seq: state.seq, unreadable }).toEqual({ seq: 1, unreadable: 1 });
  });

  test('may have the mark and the end that editors of Windows give it', () => {
    expect(parseEvent(`\uFEFF${line({ type: 'session.resumed' })}\r`)).toBeDefined();
  });
});
