import { describe, expect, it } from 'vitest';
import type { CompressionPlan } from '../../src/protocol/compression.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { emptySession, newestChapter, type SessionState } from '../../src/protocol/state.ts';

function plan(before: number, after: number, keptFrom = 4): CompressionPlan {
  const parts = [{ chapterId: 'c1', summarised: before - after, kept: after, dropped: 0 }];
  return { snapshot: 's', replacement: [], keptFrom, cut: [], parts, tokens: { before, after } };
}

function fold(state: SessionState, ...events: readonly SessionEventBody[]): SessionState {
  return events.reduce((next, event) => reduce(next, { ...event, seq: next.seq + 1, at: 1 }), state);
}

const started = (id: string, trigger: 'automatic' | 'manual' = 'manual') =>
  ({ type: 'compression.started', compressionId: id, trigger }) as const;
const proposed = (id: string, made: CompressionPlan) =>
  ({ type: 'compression.proposed', compressionId: id, plan: made }) as const;
const applied = (id: string, made: CompressionPlan, trigger: 'automatic' | 'manual' = 'manual') =>
  ({ type: 'compression.applied', compressionId: id, trigger, plan: made }) as const;
const usage = { prompt: 100, cached: 0, output: 0, thoughts: 0 };
const step = { type: 'step.ended', stepId: 's', usage, finish: 'STOP', citations: [] } as const;

function items(state: SessionState) {
  return [...iterate(newestChapter(state).items)];
}

describe('a compression', () => {
  it('runs, waits, and takes effect with its tokens', () => {
    const running = fold(emptySession, step, started('a'));
    expect(running.compression).toEqual({ status: 'running', id: 'a', trigger: 'manual', since: 1 });
    const waiting = fold(running, proposed('a', plan(100, 40)));
    expect(waiting.compression).toMatchObject({ status: 'proposed', id: 'a', trigger: 'manual' });
    expect(waiting.contextTokens).toBe(100);
    const done = fold(waiting, applied('a', plan(100, 40)));
    expect(done).toMatchObject({ compression: undefined, contextTokens: 40, compressionPaused: false });
    expect(items(done)).toEqual([
      { type: 'compression', id: 'a', trigger: 'manual', chapters: 1, tokens: { before: 100, after: 40 } },
    ]);
  });

  const ended = (why: { readonly inflated?: true; readonly nothingToDo?: true } = {}) =>
    ({
      type: 'compression.ended',
      compressionId: 'a',
      end: { kind: 'failed', message: 'No.', ...why },
    }) as const;
  const alone = { ...started('a'), trigger: 'automatic' } as const;

  it('that came automatically and would have grown pauses the others with a notice until one takes effect', () => {
    const failed = fold(emptySession, alone, ended({ inflated: true }));
    expect(failed).toMatchObject({ compression: undefined, compressionPaused: true });
    expect(items(failed)).toMatchObject([{ type: 'notice', level: 'warning', text: 'No.' }]);
    expect(fold(failed, alone, ended()).compressionPaused).toBe(true);
    expect(fold(failed, applied('b', plan(100, 40))).compressionPaused).toBe(false);
  });

  it.each([
    ['for any other reason', 'compress', fold(emptySession, alone, ended())],
    ['for lack of anything to do', undefined, fold(emptySession, alone, ended({ nothingToDo: true }))],
    ['by hand', 'compress', fold(emptySession, started('a'), ended({ inflated: true }))],
  ])('that failed %s pauses nothing, and can be retried where that may help', (_why, remedy, failed) => {
    expect(failed.compressionPaused).toBe(false);
    expect(items(failed)).toMatchObject([{ type: 'notice', level: 'warning', text: 'No.', remedy }]);
  });

  it.each(['stopped', 'discarded'] as const)('that was %s leaves nothing behind', kind => {
    const end = { type: 'compression.ended', compressionId: 'a', end: { kind } } as const;
    const { seq: _, ...left } = fold(emptySession, started('a'), end);
    const { seq: __, ...before } = emptySession;
    expect(left).toEqual({ ...before, compression: undefined });
  });

  it('is ended by its own end only', () => {
    const end = { type: 'compression.ended', compressionId: 'old', end: { kind: 'stopped' } } as const;
    expect(fold(emptySession, started('a'), end).compression?.id).toBe('a');
  });

  it('that is edited in force counts what was said since, and leaves an open one alone', () => {
    const later = fold(emptySession, step, applied('a', plan(100, 40)), step, started('b'));
    const edited = fold(later, applied('a', plan(100, 55)));
    expect(edited.contextTokens).toBe(115);
    expect(edited.compressions).toEqual([{ id: 'a', trigger: 'manual', plan: plan(100, 55) }]);
    expect(edited.compression?.id).toBe('b');
    expect(items(edited).map(item => item.type === 'compression' && item.tokens.after)).toEqual([55]);
  });

  it('that is undone gives its tokens back and stays to be seen; an automatic one does not return', () => {
    const both = fold(emptySession, applied('a', plan(100, 40)), applied('b', plan(90, 50, 9), 'automatic'));
    const one = fold(both, { type: 'compression.undone', compressionId: 'b' });
    expect(one.compressions.map(({ id }) => id)).toEqual(['a']);
    expect(one).toMatchObject({ contextTokens: 90, compressionPaused: true });
    expect(items(one).map(item => item.type === 'compression' && item.undone)).toEqual([undefined, true]);
    const byHand = fold(emptySession, applied('a', plan(100, 40)), {
      type: 'compression.undone',
      compressionId: 'a',
    });
    expect(byHand.compressionPaused).toBe(false);
    expect(fold(one, { type: 'compression.undone', compressionId: 'b' }).compressions).toBe(one.compressions);
  });

  it('goes with what a rewind takes away and comes back with it', () => {
    const rewound = (keptMessages: number): SessionEventBody => ({
      type: 'session.rewound',
      rewindId: 'r',
      to: { kind: 'turn', turnId: 't' },
      scope: 'conversation',
      filesFrom: 1,
      keptMessages,
      todos: [],
      reviews: [],
      files: [],
    });
    const two = fold(emptySession, applied('a', plan(100, 40)), applied('b', plan(90, 50, 9)), started('c'));
    const back = fold(two, rewound(8));
    expect(back.compressions.map(({ id }) => id)).toEqual(['a']);
    expect(back.compression).toBeUndefined();
    expect(fold(back, { type: 'rewind.undone', rewindId: 'r', files: [] }).compressions).toBe(
      two.compressions,
    );
  });
});

it('a pin is set once and taken off', () => {
  const pin = (id: string, pinned: boolean) => ({ type: 'pin.changed', id, pinned }) as const;
  const state = fold(emptySession, pin('a', true), pin('b', true), pin('a', true));
  expect(state.pins).toEqual(['b', 'a']);
  expect(fold(state, pin('b', false)).pins).toEqual(['a']);
});
