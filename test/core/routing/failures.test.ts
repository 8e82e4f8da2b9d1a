/* Whatever fails, and whatever the user decides: the history stays valid, and every step comes to an end. */

import { expect, test } from 'vitest';
import { ModelError, type ModelErrorKind } from '../../../src/extension/core/model.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import type { FallbackDecision } from '../../../src/protocol/routing.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import { makeWorld } from '../../support/conversation.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const kinds: readonly ModelErrorKind[] = [
  ...([
    'quota',
    'overloaded',
    'rateLimited',
    'network',
    'silent',
    'invalidStream',
    'notFound',
    'unknown',
  ] as const),
  ...(['auth', 'badRequest', 'blocked'] as const),
];

const failure = fc
  .record({
    kind: fc.constantFrom(...kinds),
    retryable: fc.boolean(),
    partial: fc.constantFrom(undefined, 'Let me'),
  })
  .map(
    ({ kind, retryable, partial }): ScriptedAnswer => ({
      error: new ModelError(kind, () => `It is ${kind}.`, { retryable }),
      ...(partial !== undefined && { partial }),
    }),
  );
const answer = fc.constantFrom<ScriptedAnswer>(
  { parts: [{ kind: 'text', text: 'Done.' }] },
  { parts: [{ kind: 'text', text: '{"why":"So.","model":"fast"}' }] },
  {
    parts: [
      { kind: 'text', text: 'I look.' },
      { kind: 'call', id: 'r', name: 'read_file', args: { file_path: 'a' }, signature: 'AAAA' },
    ],
  },
);
const script = fc.array(fc.oneof({ arbitrary: failure, weight: 3 }, answer), { maxLength: 25 });
const decisions = fc.array(
  fc.constantFrom<FallbackDecision | 'abort'>('retry', 'switch', 'stop', 'later', 'abort'),
  { minLength: 1, maxLength: 8 },
);

test('random failures and decisions leave valid requests, ended steps and a fold that can be read back', async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      decisions,
      fc.record({
        model: fc.constantFrom('auto', 'strong', 'other'),
        interactive: fc.boolean(),
        mode: fc.constantFrom('yolo' as const, 'plan' as const),
        models: fc.constantFrom({ strong: 's', fast: 'f', others: ['t'] }, { strong: 's', fast: 's' }, {}),
      }),
      async (answers, chosen, options) => {
        const { session, model, events } = makeWorld({ answers, maxAttempts: 4, ...options });
        let at = 0;
        session.onEvent(({ type }) => {
          if (type !== 'model.asked') return;
          // A user does not try again for ever.
          const decision = chosen[at++] ?? 'later';
          setImmediate(() => (decision === 'abort' ? void session.stop() : session.decideFallback(decision)));
        });
        for (const go of [
          () => session.send('one'),
          () => session.retry(),
          () => session.send('two'),
          () => session.retry(),
        ]) {
          const end = await go();
          if (end.kind === 'failed') expect(end.trouble.kind).not.toBe('bug');
          expect(session.state.activity.status).toBe('resting');
        }
        for (const request of model.requests) expect(historyFaults(request.messages)).toEqual([]);
        expect(callFaults(events)).toEqual([]);
        expect(stepFaults(events)).toEqual([]);
        expect(events.reduce(reduce, emptySession)).toEqual(session.state);
        await session.dispose();
      },
    ),
    { numRuns: runSize({ test: 20, prove: 2000 }) },
  );
});

/** A step ends automatically or with its turn, and what is routed and asked belongs to the turn that runs. */
function stepFaults(events: readonly SessionEvent[]): readonly string[] {
  const faults: string[] = [];
  let turn: string | undefined;
  let step: string | undefined;
  let asked = false;
  for (const event of events) {
    if (event.type === 'turn.started' || event.type === 'turn.retried') turn = event.turnId;
    if (event.type === 'step.started') {
      if (step !== undefined) faults.push(`${step} was open when ${event.stepId} began`);
      step = event.stepId;
    }
    if (event.type === 'step.retried' && event.stepId !== step)
      faults.push(`${event.stepId} was retried, not open`);
    if (event.type === 'step.ended') step = undefined;
    if (event.type === 'model.asked') asked = true;
    if (event.type === 'model.decided') asked = false;
    if ('turnId' in event && event.type.startsWith('model.') && event.turnId !== turn) {
      faults.push(`${event.type} of another turn`);
    }
    if (event.type === 'turn.ended') {
      if (asked) faults.push(`${event.turnId} ended undecided`);
      [turn, step] = [undefined, undefined];
    }
  }
  return faults;
}
