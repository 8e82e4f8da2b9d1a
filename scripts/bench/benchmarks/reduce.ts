import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce as fold } from '../../../src/protocol/fold/reduce.ts';
import { lastItem } from '../../../src/protocol/pagedList.ts';
import { emptySession, newestChapter, type SessionState } from '../../../src/protocol/state.ts';
import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';
import { longAnswer } from './longAnswer.ts';

/** Folds an answer into an empty and into a long session. Both must cost the same. */
export const reduce: Benchmark = {
  name: 'reduce',
  about: 'an answer of 2 MB in 20,000 chunks through reduce, in a new session and in one of 2,000 turns',
  run: async ({ runs }) => {
    const settings = [
      { what: 'into a new session', past: begin(emptySession) },
      { what: 'into a session of 2,000 turns', past: begin(longPast()) },
    ];
    for (const { past } of settings) foldAnswer(past);
    return settings.flatMap(({ what, past }) => {
      const samples = Array.from({ length: Math.max(runs, 5) }, () => foldAnswer(past));
      return [
        row(
          `${what}, all`,
          'ms',
          samples.map(sample => sample.all),
        ),
        row(
          `${what}, one of the first 1,000 chunks`,
          'µs',
          samples.map(sample => sample.first),
        ),
        row(
          `${what}, one of the last 1,000 chunks`,
          'µs',
          samples.map(sample => sample.last),
        ),
      ];
    });
  },
};

function foldAnswer(past: SessionState): { all: number; first: number; last: number } {
  let state = past;
  const marks = [performance.now()];
  for (const [index, text] of longAnswer.entries()) {
    state = fold(state, event(state, { type: 'text.appended', stepId: 'answer', text }));
    if (index === 999 || index === longAnswer.length - 1001) marks.push(performance.now());
  }
  marks.push(performance.now());
  const item = lastItem(newestChapter(state).items);
  // Reads the text, since the engine flattens concatenated strings only then.
  if (
    item?.type !== 'text' ||
    item.text.charCodeAt(item.text.length - 1) !== longAnswer.at(-1)!.charCodeAt(99)
  ) {
    throw new Error('The fold lost a part of the answer.');
  }
  const [start, thousand, late, folded] = marks as [number, number, number, number];
  return { all: performance.now() - start, first: thousand - start, last: folded - late };
}

function begin(state: SessionState): SessionState {
  const turn: SessionEventBody = { type: 'turn.started', turnId: 'turn', text: 'go', attachments: [] };
  const started = fold(state, event(state, turn));
  return fold(started, event(started, { type: 'step.started', stepId: 'answer', number: 1, model: 'm' }));
}

function longPast(): SessionState {
  let state = emptySession;
  for (let turn = 0; turn < 2000; turn++) {
    const turnId = `t${turn}`;
    const stepId = `s${turn}`;
    const bodies: SessionEventBody[] = [
      { type: 'turn.started', turnId, text: 'Do it', attachments: [] },
      { type: 'step.started', stepId, number: 1, model: 'm' },
      { type: 'text.appended', stepId, text: 'Done.' },
      { type: 'turn.ended', turnId, end: { kind: 'rested' } },
    ];
    for (const body of bodies) state = fold(state, event(state, body));
  }
  return state;
}

function event(state: SessionState, body: SessionEventBody): SessionEvent {
  return { ...body, seq: state.seq + 1, at: 0 };
}

/** Converts milliseconds of 1,000 chunks to microseconds of one, which are the same number. */
function row(what: string, unit: Measurement['unit'], samples: readonly number[]): Measurement {
  return { benchmark: 'reduce', what, who: 'Folio', unit, samples };
}
