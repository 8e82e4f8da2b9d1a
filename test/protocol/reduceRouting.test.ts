import { describe, expect, it } from 'vitest';
import type { SessionEventBody, Usage } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { FallbackDecision, ModelFailure } from '../../src/protocol/routing.ts';
import { emptySession, type PromptItem, type SessionState } from '../../src/protocol/state.ts';

function fold(state: SessionState, ...events: readonly SessionEventBody[]): SessionState {
  return events.reduce((next, event) => reduce(next, { ...event, seq: next.seq + 1, at: 1 }), state);
}

const usage: Usage = { prompt: 100, cached: 60, output: 10, thoughts: 5 };

const turn = (turnId: string) => ({ type: 'turn.started', turnId, text: turnId, attachments: [] }) as const;
const ended = (turnId: string) => ({ type: 'turn.ended', turnId, end: { kind: 'rested' } }) as const;
const failed = (turnId: string) => ({ type: 'turn.ended', turnId, end: { kind: 'stopped' } }) as const;
const step = (more: { readonly usage?: Usage; readonly cost?: number } = { usage }) =>
  ({ type: 'step.ended', stepId: 's', finish: 'STOP', citations: [], ...more }) as const;
const chapter = (chapterId: string) => ({ type: 'chapter.started', chapterId, title: chapterId }) as const;

function spentOf(state: SessionState): readonly PromptItem['spent'][] {
  return state.chapters.flatMap(({ items }) =>
    [...iterate(items)].flatMap(item => (item.type === 'prompt' ? [item.spent] : [])),
  );
}

describe('which model works', () => {
  it('is known with its reason from the moment it is chosen, and also after the turn', () => {
    const routed = { turnId: 't1', model: 'flash', by: 'classifier', reason: 'It is small.' } as const;
    const state = fold(emptySession, turn('t1'), { type: 'model.routed', ...routed }, ended('t1'));
    expect(state.routed).toEqual(routed);
  });

  it('is another one after a fallback, and without a word where none was given', () => {
    const state = fold(
      emptySession,
      turn('t1'),
      { type: 'model.routed', turnId: 't1', model: 'pro', by: 'default', reason: 'x' },
      { type: 'model.routed', turnId: 't1', model: 'flash', by: 'fallback' },
    );
    expect(state.routed).toEqual({ turnId: 't1', model: 'flash', by: 'fallback' });
  });
});

describe('a model that failed for good', () => {
  const failure: ModelFailure = { model: 'pro', kind: 'terminal', message: 'No quota.', candidate: 'flash' };
  const asked = { type: 'model.asked', turnId: 't1', failure } as const;
  const decided = (decision: FallbackDecision) =>
    ({ type: 'model.decided', turnId: 't1', decision }) as const;

  it('has the turn wait for the user, with the time it began', () => {
    const state = fold(emptySession, turn('t1'), asked);
    expect(state.activity).toEqual({ status: 'choosing', turnId: 't1', since: 1, failure });
  });

  it.each<FallbackDecision>(['retry', 'switch', 'stop', 'later'])(
    'continues with the decision %s',
    decision => {
      const state = fold(emptySession, turn('t1'), asked, decided(decision));
      expect(state.activity).toEqual({ status: 'working', turnId: 't1', since: 1 });
    },
  );

  it('asks nothing of a session that rests, and a decision that nobody waits for changes nothing', () => {
    const rested = fold(emptySession, turn('t1'), ended('t1'));
    expect(fold(rested, asked).activity).toEqual({ status: 'resting' });
    expect(fold(rested, decided('retry')).activity).toEqual({ status: 'resting' });
    const retrying = fold(rested, turn('t2'));
    expect(fold(retrying, decided('retry')).activity).toEqual(retrying.activity);
  });

  it('waits no longer once the turn ends', () => {
    expect(fold(emptySession, turn('t1'), asked, failed('t1')).activity).toEqual({ status: 'resting' });
  });
});

describe('what a turn takes', () => {
  it('is summed up while it runs and stands at its prompt once it has ended', () => {
    const running = fold(emptySession, turn('t1'), step({ usage, cost: 0.25 }), step({ usage, cost: 0.5 }));
    const sum = {
      steps: 2,
      cost: 0.75,
      usage: { prompt: 200, cached: 120, output: 20, thoughts: 10 },
    };
    expect(running.spending).toEqual(sum);
    expect(spentOf(running)).toEqual([undefined]);
    const state = fold(running, ended('t1'));
    expect(state).not.toHaveProperty('spending');
    expect(spentOf(state)).toEqual([sum]);
  });

  it('has no cost where no price is known, and that of the rest where some are', () => {
    expect(spentOf(fold(emptySession, turn('t1'), step(), ended('t1')))[0]).not.toHaveProperty('cost');
    const mixed = fold(emptySession, turn('t1'), step(), step({ usage, cost: 0.5 }), step(), ended('t1'));
    expect(spentOf(mixed)).toMatchObject([{ steps: 3, cost: 0.5 }]);
  });

  it('counts a step that told no usage', () => {
    const state = fold(emptySession, turn('t1'), step({}), step(), ended('t1'));
    expect(spentOf(state)).toEqual([{ steps: 2, usage }]);
  });

  it('goes to the prompt of the turn, also when chapters began since', () => {
    const state = fold(
      emptySession,
      turn('t1'),
      step(),
      ended('t1'),
      turn('t2'),
      chapter('c1'),
      step(),
      chapter('c2'),
      step(),
      ended('t2'),
    );
    expect(spentOf(state).map(spent => spent?.steps)).toEqual([1, 2]);
  });

  it('passes over what was said in between', () => {
    const state = fold(
      emptySession,
      turn('t1'),
      step(),
      { type: 'prompt.queued', prompt: { id: 'q1', text: 'And mind x', attachments: [], when: 'steer' } },
      { type: 'prompt.unqueued', id: 'q1', because: 'steered' },
      step(),
      ended('t1'),
    );
    expect(spentOf(state).map(spent => spent?.steps)).toEqual([2, undefined]);
  });

  it('adds up over the stretches of a turn that was continued with', () => {
    const state = fold(
      emptySession,
      turn('t1'),
      step({ usage, cost: 0.25 }),
      failed('t1'),
      { type: 'turn.retried', turnId: 't1' },
      step({ usage, cost: 0.5 }),
      ended('t1'),
    );
    expect(spentOf(state)).toMatchObject([{ steps: 2, cost: 0.75, usage: { prompt: 200 } }]);
  });

  it('is nothing for a turn that took no step', () => {
    expect(spentOf(fold(emptySession, turn('t1'), failed('t1')))).toEqual([undefined]);
  });
});
