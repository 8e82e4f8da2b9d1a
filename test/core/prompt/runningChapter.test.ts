import { describe, expect, test } from 'vitest';
import { untoldChapter } from '../../../src/extension/core/prompt/runningChapter.ts';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { model, user } from '../../support/geminiClient.ts';
import { fc } from '../../support/properties.ts';

function opened(text: string, ok = true): readonly Message[] {
  const call: Part = { kind: 'call', id: 'c', name: 'create_new_topic', args: {} };
  return [model(call), user({ kind: 'result', id: 'c', name: 'create_new_topic', ok, text })];
}

describe('the running chapter in the conversation', () => {
  test('is not told before there is one', () => {
    expect(untoldChapter([user('go')], undefined)).toBeUndefined();
    expect(untoldChapter([user('go')], ' \n ')).toBeUndefined();
  });

  test('is not told again where the call that opened it stands in the conversation', () => {
    expect(untoldChapter(opened('Topic changed to: "Say "hi" {x}"'), 'Say "hi" {x}')).toBeUndefined();
  });

  test('is told once after a person gave it another title', () => {
    const messages = opened('Topic changed to: "Reading"');
    const words = untoldChapter(messages, 'Better words');
    expect(words).toBe('[Active Topic: Better words]');
    expect(untoldChapter([...messages, user(words!, 'more')], 'Better words')).toBeUndefined();
  });

  test('is told where the call that opened it was compressed, was refused, or only a file names it', () => {
    const told = '[Active Topic: Reading]';
    expect(untoldChapter([user('The record.')], 'Reading')).toBe(told);
    expect(untoldChapter(opened('Topic changed to: "Reading"', false), 'Reading')).toBe(told);
    expect(untoldChapter([user(`In a.md: ${told} and more`)], 'Reading')).toBe(told);
  });

  test('stays one line with one pair of brackets whatever the title holds, and is known again', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('[', ']', '\n', '\r', '\u2028', '\0', 'a', ' ', '{', 'é'),
    });
    fc.assert(
      fc.property(nasty, title => {
        const words = untoldChapter([], title);
        if (words === undefined) return;
        expect(words).toMatch(/^\[Active Topic: [^[\]{}\r\n\u2028\0]+\]$/);
        expect(untoldChapter([user(words)], title)).toBeUndefined();
      }),
    );
  });
});
