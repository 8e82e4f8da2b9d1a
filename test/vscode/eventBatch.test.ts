import { expect, test } from 'vitest';
import { EventBatch } from '../../src/extension/vscode/panel/eventBatch.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import { dose } from '../support/dose.ts';
import { fc } from '../support/properties.ts';

const display = { summary: 'done' };
const id = fc.constantFrom('a', 'b');
const text = fc.string({ maxLength: 4 });

const body: fc.Arbitrary<SessionEventBody> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('text.appended' as const), stepId: id, text }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('thought.appended' as const), stepId: id, text }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('call.output' as const), callId: id, text }) },
  fc.record({
    type: fc.constant('call.requested' as const),
    callId: id,
    stepId: id,
    tool: fc.constant('glob'),
    effect: fc.constant('read' as const),
    title: fc.constant('Find'),
    args: fc.constant({}),
  }),
  fc.record({ type: fc.constant('call.started' as const), callId: id }),
  fc.record({
    type: fc.constant('call.ended' as const),
    callId: id,
    outcome: fc.constant('ok' as const),
    display: fc.constant(display),
    durationMs: fc.constant(1),
  }),
  fc.record({ type: fc.constant('step.started' as const), stepId: id, number: fc.constant(1), model: text }),
  fc.record({
    type: fc.constant('step.retried' as const),
    stepId: id,
    reason: text,
    attempt: fc.constant(2),
    maxAttempts: fc.constant(3),
    delayMs: fc.constant(10),
  }),
  fc.record({ type: fc.constant('chapter.started' as const), chapterId: text, title: text }),
  fc.record({
    type: fc.constant('turn.started' as const),
    turnId: id,
    text,
    attachments: fc.constant([]),
  }),
  fc.record({
    type: fc.constant('message.added' as const),
    message: fc.constant({ role: 'model' as const, parts: [] }),
  }),
  fc.record({ type: fc.constant('notice.shown' as const), level: fc.constant('info' as const), text }),
);

function number(bodies: readonly SessionEventBody[]): SessionEvent[] {
  return bodies.map((each, index) => ({ ...each, seq: index + 1, at: 1000 + index }));
}

function fold(events: readonly SessionEvent[], state: SessionState = emptySession): SessionState {
  return events.reduce(reduce, state);
}

function taken(batch: EventBatch): readonly SessionEvent[] {
  return batch.take().flatMap(({ events }) => events);
}

const forThePage = (event: SessionEvent) => event.type !== 'message.added';

test('folding joined events gives the same state as folding each, however they are cut into bundles', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 60 }), fc.infiniteStream(fc.boolean()), (bodies, cuts) => {
      const events = number(bodies);
      const batch = new EventBatch();
      const sent: SessionEvent[] = [];
      for (const event of events) {
        batch.add(event);
        if (cuts.next().value) sent.push(...taken(batch));
      }
      sent.push(...taken(batch));
      expect(fold(sent)).toEqual(fold(events.filter(forThePage)));
    }),
    { numRuns: dose({ test: 200, prove: 10_000 }) },
  );
});

test('folding goes on from a snapshot that was taken anywhere', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 40 }), fc.nat(40), (bodies, nat) => {
      const events = number(bodies).filter(forThePage);
      const at = Math.min(nat, events.length);
      const batch = new EventBatch();
      for (const event of events.slice(0, at)) batch.add(event);
      batch.clear();
      const snapshot = fold(events.slice(0, at));
      for (const event of events.slice(at)) batch.add(event);
      expect(fold(taken(batch), snapshot)).toEqual(fold(events));
    }),
    { numRuns: dose({ test: 200, prove: 6000 }) },
  );
});

test('a stream of many small pieces of one answer travels as two events', () => {
  const pieces = Array.from(
    { length: 1000 },
    (): SessionEventBody => ({ type: 'text.appended', stepId: 'a', text: 'x' }),
  );
  const batch = new EventBatch();
  for (const event of number(pieces)) batch.add(event);
  const sent = taken(batch);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ seq: 1000, text: 'x'.repeat(999) });
});

test('messages for the model never reach the page', () => {
  const batch = new EventBatch();
  batch.add({ type: 'message.added', message: { role: 'user', parts: [] }, seq: 1, at: 1 });
  expect(batch.isEmpty).toBe(true);
});
