import type { Message, Part } from '../../../../src/protocol/events.ts';
import { fc } from '../../../support/properties.ts';

interface RandomStep {
  readonly calls: number;
  readonly said: string;
  readonly size: number;
}

interface RandomTurn {
  readonly prompt: number;
  readonly steps: readonly RandomStep[];
  readonly answer: number;
}

const turns: fc.Arbitrary<readonly RandomTurn[]> = fc.array(
  fc.record({
    prompt: fc.nat(600),
    steps: fc.array(
      fc.record({ calls: fc.integer({ min: 1, max: 3 }), said: fc.string(), size: fc.nat(3_000) }),
      { maxLength: 6 },
    ),
    // 0: stopped before it answered.
    answer: fc.nat(900),
  }),
  { minLength: 1, maxLength: 6 },
);

export interface RandomHistory {
  readonly messages: readonly Message[];
  /** Where prompts and answers lie. */
  readonly prompts: readonly number[];
  readonly steps: readonly number[];
}

/** As a session leaves it: prompts, answers, calls with their results, some turns stopped. */
export const randomHistory: fc.Arbitrary<RandomHistory> = turns.map(all => {
  const messages: Message[] = [];
  const prompts: number[] = [];
  const steps: number[] = [];
  let ids = 0;
  for (const { prompt, steps: taken, answer } of all) {
    prompts.push(messages.length);
    messages.push({ role: 'user', parts: [{ kind: 'text', text: `p${'?'.repeat(prompt)}` }] });
    for (const { calls, said, size } of taken) {
      const parts: Part[] = Array.from({ length: calls }, () => {
        return { kind: 'call', id: `c${++ids}`, name: 'read_file', args: {} };
      });
      steps.push(messages.length);
      messages.push({ role: 'model', parts: [{ kind: 'text', text: said }, ...parts] });
      messages.push({
        role: 'user',
        parts: parts.map(part => ({ ...part, kind: 'result', ok: true, text: 'x'.repeat(size) }) as Part),
      });
    }
    if (answer === 0) continue;
    steps.push(messages.length);
    messages.push({ role: 'model', parts: [{ kind: 'text', text: 'a'.repeat(answer) }] });
  }
  return { messages, prompts, steps };
});
