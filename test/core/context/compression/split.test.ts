import { describe, expect, it } from 'vitest';
import {
  replacementOf,
  verbatimMessageIndices,
} from '../../../../src/extension/core/context/compression/replacement.ts';
import { findSplit } from '../../../../src/extension/core/context/compression/split.ts';
import { History } from '../../../../src/extension/core/history/history.ts';
import { HistoryEncoder } from '../../../../src/extension/models/gemini/historyEncoder.ts';
import type { Message } from '../../../../src/protocol/events.ts';
import { historyFaults } from '../../../support/checkHistory.ts';
import { model, user } from '../../../support/geminiClient.ts';
import { findRequestFault } from '../../../support/geminiRequestRules.ts';
import { fc } from '../../../support/properties.ts';
import { runSize } from '../../../support/runSize.ts';
import { snapshotOf } from '../../../support/wireWorld.ts';
import { randomHistory } from './randomHistory.ts';

const call = { kind: 'call', id: 'c', name: 'read_file', args: {} } as const;
const result = (length: number) => {
  return { kind: 'result', id: 'c', name: 'read_file', ok: true, text: 'x'.repeat(length) } as const;
};

describe('the cut', () => {
  it('keeps the newest 30 % by characters, and never parts a call from its result', () => {
    const messages = [user('a'), model(call), user(result(600)), model(call), user(result(300)), model('b')];
    // 70 % end within the second result, so the cut comes after it.
    expect(findSplit([...messages.slice(0, 2), user(result(400)), ...messages.slice(3)], 0, [])).toBe(5);
    expect(findSplit([...messages.slice(0, 2), user(result(3_000)), ...messages.slice(3)], 0, [])).toBe(3);
  });

  it('lies where a chapter begins when that is near, and not when it is far', () => {
    const text = 'x'.repeat(100);
    const messages = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? user(text) : model(text)));
    expect(findSplit(messages, 0, [])).toBe(28);
    expect(findSplit(messages, 0, [25])).toBe(25);
    expect(findSplit(messages, 0, [32, 29])).toBe(29);
    expect(findSplit(messages, 0, [20, 36])).toBe(28);
  });

  it('takes all when the newest answer alone is more than what is kept, and nothing of what is unread', () => {
    expect(findSplit([user('a'), model('x'.repeat(900))], 0, [])).toBe(2);
    expect(findSplit([user('a'), model(call), user(result(900))], 0, [])).toBe(1);
  });

  it('finds no place in what there is too little of', () => {
    expect(findSplit([], 0, [])).toBeUndefined();
    expect(findSplit([user('a')], 0, [])).toBeUndefined();
    expect(findSplit([user('a'), model('b'), user('c')], 2, [])).toBeUndefined();
  });
});

describe('whatever the history is', () => {
  const pick = fc.nat(1_000);

  it('what is sent after a compression, and after one of that, is accepted by the service', () => {
    fc.assert(
      fc.property(randomHistory, fc.array(pick, { maxLength: 5 }), pick, (random, chosen, model) => {
        const ids = [...random.prompts, ...random.steps];
        const pins = chosen.map(number => `m${ids[number % ids.length]}`);
        const history = new History();
        for (const message of random.messages)
          history.fold({ type: 'message.added', message, seq: 1, at: 1 });
        for (const round of [1, 2]) {
          const from = history.compression?.replacement.length ?? 0;
          const offset = (history.compression?.keptFrom ?? 0) - from;
          const cut = findSplit(history.messages, from, []);
          if (cut === undefined) return;
          const places = {
            prompts: random.prompts,
            messages: ids.map(message => ({ id: `m${message}`, message })),
          };
          const whole = history.whole;
          const replaced = { keptFrom: cut + offset, whole, places, pins, snapshot: snapshotOf('4711') };
          const replacement = replacementOf({ ...replaced, chapters: ['1'] });
          expect(history.compression?.keptFrom ?? 0).toBeLessThan(cut + offset);
          const plan = { ...replaced, replacement, cut: [], parts: [], tokens: { before: 2, after: 1 } };
          history.fold({
            type: 'compression.applied',
            compressionId: `${round}`,
            trigger: 'manual',
            plan,
            seq: 1,
            at: 1,
          });
          checkRequest(history, model % 2 === 0 ? 'gemini-2.5-pro' : 'gemini-3-pro-preview');
          const sent = history
            .forRequest()
            .flatMap(({ parts }) => parts.map(part => 'text' in part && part.text));
          for (const index of verbatimMessageIndices(replaced)) {
            for (const part of whole[index]!.parts)
              if (part.kind === 'text' && part.text !== '') expect(sent).toContain(part.text);
          }
        }
      }),
      { numRuns: runSize({ test: 12, prove: 3000 }) },
    );
  });
});

/** With a new prompt at its end, as the next turn brings it. */
function checkRequest(history: History, name: string): void {
  const messages = [...history.forRequest()];
  if (messages.at(-1)?.role === 'model') messages.push(user('And now?'));
  expect(historyFaults(messages)).toEqual([]);
  const body = { contents: toWire(messages, name) };
  const request = { method: 'streamGenerateContent', model: name, body } as const;
  expect(findRequestFault(request as Parameters<typeof findRequestFault>[0])).toBeUndefined();
}

function toWire(messages: readonly Message[], name: string) {
  const pieces = new HistoryEncoder().encode(messages, name);
  return JSON.parse(`[${Buffer.concat([...pieces]).toString()}]`);
}
