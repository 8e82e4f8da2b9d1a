import { describe, expect, test } from 'vitest';
import { MaskingBuffer } from '../../../src/extension/core/recording/maskingBuffer.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { secrets } from '../../support/secrets.ts';

/** Takes events one after the other and keeps what would be written. */
class Writing {
  readonly held = new MaskingBuffer();
  readonly written: SessionEvent[] = [];
  private seq = 0;

  take(body: SessionEventBody): void {
    this.seq++;
    this.written.push(...this.held.addEvent({ ...body, seq: this.seq, at: this.seq }));
  }

  text(text: string, stepId = 's1'): void {
    this.take({ type: 'text.appended', stepId, text });
  }

  thought(text: string): void {
    this.take({ type: 'thought.appended', stepId: 's1', text });
  }

  flush(): void {
    this.written.push(...this.held.interrupt());
  }

  end(): void {
    this.take({ type: 'step.ended', stepId: 's1', finish: 'STOP', citations: [] });
  }

  all(type: 'text.appended' | 'thought.appended' = 'text.appended'): string {
    return this.written.map(event => (event.type === type && 'text' in event ? event.text : '')).join('');
  }
}

const pinned: SessionEventBody = { type: 'pin.changed', id: 't1', pinned: true };

/** A text cut at random places. */
const pieces = (text: string) =>
  fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }).map(cuts => {
    const sorted = [0, ...cuts.sort((a, b) => a - b), text.length];
    return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
  });

describe('a secret that comes in pieces', () => {
  test.each(Object.entries(secrets))('%s is masked wherever it is cut', (_name, { text, hidden }) => {
    const answer = `Here it is: ${text}\nand more.`;
    fc.assert(
      fc.property(pieces(answer), parts => {
        const writing = new Writing();
        for (const part of parts) writing.text(part);
        writing.end();
        expect(writing.all()).not.toContain(hidden);
        expect(writing.all()).toMatch(/^Here it is: [\s\S]*\[masked\][\s\S]*\nand more\.$/);
      }),
    );
  });

  test.each(Object.entries(secrets))(
    '%s is masked although others write in between',
    (_name, { text, hidden }) => {
      const answer = `Here it is: ${text}\nand more.`;
      fc.assert(
        fc.property(
          pieces(answer),
          fc.array(fc.constantFrom('pin', 'flush', 'thought', ''), { minLength: 14 }),
          (parts, acts) => {
            const writing = new Writing();
            parts.forEach((part, index) => {
              writing.text(part);
              if (acts[index] === 'pin') writing.take(pinned);
              if (acts[index] === 'flush') writing.flush();
              if (acts[index] === 'thought') writing.thought('Hm.');
            });
            writing.end();
            expect(writing.all()).not.toContain(hidden);
            expect(writing.all()).toMatch(/and more\.$/);
          },
        ),
        { numRuns: runSize({ test: 100, prove: 5000 }) },
      );
    },
  );
});

describe('what is no secret', () => {
  const plain = [
    'One line.',
    'The token is read from `process.env.API_TOKEN`.\n\nThen it is sent.\n',
    '# A title\n\n- one\n- two\n\n```ts\nconst key = readKey();\nif (token) return;\n```\n',
    'password:\n\n\nThat is all.',
    '\n\n\n',
  ];

  test.each(plain)('arrives whole however it is cut: %j', text => {
    fc.assert(
      fc.property(pieces(text), parts => {
        const writing = new Writing();
        for (const part of parts) writing.text(part);
        writing.end();
        expect(writing.all()).toBe(text);
      }),
    );
  });

  test('numbers rise, no event is written twice, and what is not text keeps its number', () => {
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('text' as const),
        text: fc.string({ unit: fc.constantFrom('a', ' ', '\n') }),
      }),
      fc.record({ kind: fc.constant('thought' as const), text: fc.constantFrom('x', 'y\n') }),
      fc.record({ kind: fc.constantFrom('pin' as const, 'flush' as const, 'end' as const) }),
    );
    fc.assert(
      fc.property(fc.array(act), acts => {
        const writing = new Writing();
        let [text, thought, others] = ['', '', 0];
        for (const each of acts) {
          if (each.kind === 'text') writing.text(each.text);
          if (each.kind === 'thought') writing.thought(each.text);
          if (each.kind === 'pin') writing.take(pinned);
          if (each.kind === 'end') writing.end();
          if (each.kind === 'flush') writing.flush();
          if (each.kind === 'text') text += each.text;
          if (each.kind === 'thought') thought += each.text;
          if (each.kind === 'pin' || each.kind === 'end') others++;
        }
        writing.end();
        const numbers = writing.written.map(({ seq }) => seq);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(writing.all()).toBe(text);
        expect(writing.all('thought.appended')).toBe(thought);
        expect(writing.written.filter(event => !event.type.endsWith('appended'))).toHaveLength(others + 1);
      }),
    );
  });

  test('finished lines are written at once, the one that grows is held', () => {
    const writing = new Writing();
    writing.text('First li');
    writing.text('ne.\nSecond');
    expect(writing.written).toEqual([
      { type: 'text.appended', stepId: 's1', seq: 1, at: 1, text: 'First line.\n' },
    ]);
    writing.flush();
    expect(writing.all()).toBe('First line.\nSecond');
  });

  test('a line without an end is written in pieces, and nothing of it is lost', () => {
    const writing = new Writing();
    for (let piece = 0; piece < 200; piece++) writing.text('word '.repeat(200));
    expect(writing.all().length).toBeGreaterThan(150_000);
    writing.end();
    expect(writing.all()).toBe('word '.repeat(40_000));
  });

  test('an attempt that is void does not reach into the next one', () => {
    const writing = new Writing();
    writing.text('DB_PASSWORD=');
    writing.take({ type: 'step.retried', stepId: 's1', reason: '', attempt: 2, maxAttempts: 3, delayMs: 0 });
    writing.text('hello there\n');
    expect(writing.all()).toBe('DB_PASSWORD=hello there\n');
  });
});
