import { describe, expect, test } from 'vitest';
import { escapeInvisibleText, hasInvisibleText } from '../../src/extension/base/hiddenText.ts';
import { anyCharacter, fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const hidden: readonly (readonly [string, string, string])[] = [
  ['a change of direction', 'a\u202Eb', 'a\\u{202E}b'],
  ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a blank of no width', 'rm\u200B -rf', 'rm\\u{200B} -rf'],
  ['a joiner between letters', 'a\u200Db', 'a\\u{200D}b'],
  ['a blank that does not break', 'ls\u00A0-la', 'ls\\u{A0}-la'],
  ['a wide blank', 'ls\u3000x', 'ls\\u{3000}x'],
  ['a soft hyphen', 'a\u00ADb', 'a\\u{AD}b'],
  ['a byte-order mark', '\uFEFFls', '\\u{FEFF}ls'],
  ['a tag character', 'a\u{E0041}b', 'a\\u{E0041}b'],
  ['a filler that is drawn as nothing', 'a\u3164b', 'a\\u{3164}b'],
  ['an empty braille pattern', 'a\u2800b', 'a\\u{2800}b'],
  ['a variation selector at a letter', 'a\uFE0Fb', 'a\\u{FE0F}b'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['an escape that moves the cursor', 'a\u001B[2K', 'a\\u{1B}[2K'],
  ['a backspace', 'ab\b', 'ab\\u{8}'],
  ['a carriage return that hides what stands before it', 'rm x\rls', 'rm x\\u{D}ls'],
  ['a null', 'a\0b', 'a\\u{0}b'],
  ['half of a pair', 'a\uD800b', 'a\\u{D800}b'],
  ['a character for private use', 'a\uE000b', 'a\\u{E000}b'],
];

const visible = [
  'ls -la | grep "x" # plain',
  'tab\tand\nbreak',
  'a line of Windows\r\nand one more',
  'Grüße, 你好, привет, שלום, मानक',
  'é composed of two: e\u0301',
  'pictures: 🚀 👩\u200D💻 👨\u200D👩\u200D👧 ❤\uFE0F 👍🏽',
  '',
];

describe('hidden text', () => {
  test.each(hidden)('%s is found and shown', (_, text, shown) => {
    expect(hasInvisibleText(text)).toBe(true);
    expect(escapeInvisibleText(text)).toBe(shown);
  });

  test.each(visible)('what can be seen is left alone: %j', text => {
    expect(hasInvisibleText(text)).toBe(false);
    expect(escapeInvisibleText(text)).toBe(text);
  });

  test('what is shown hides nothing, and only what hides something is changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), text => {
        expect(hasInvisibleText(escapeInvisibleText(text))).toBe(false);
        expect(escapeInvisibleText(text) === text).toBe(!hasInvisibleText(text));
      }),
      { numRuns: runSize({ test: 500, prove: 100_000 }) },
    );
  });
});
