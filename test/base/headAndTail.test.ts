import { expect, test } from 'vitest';
import { HeadAndTail } from '../../src/extension/base/headAndTail.ts';
import { fc } from '../support/properties.ts';

const limits = { head: 5, tail: 7 };

function keep(pieces: readonly string[]): string {
  const output = new HeadAndTail(limits);
  for (const piece of pieces) output.append(piece);
  return output.text;
}

test('a text that fits is kept whole, whatever its pieces', () => {
  expect(keep(['ab', '', 'cdefgh', 'ijkl'])).toBe('abcdefghijkl');
});

test('of a longer one the beginning and the end are kept, and what is missing is counted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 9 }), { maxLength: 30 }), pieces => {
      const whole = pieces.join('');
      const dropped = whole.length - limits.head - limits.tail;
      const expected =
        dropped <= 0
          ? whole
          : `${whole.slice(0, 5)}\n… ${dropped} characters were not kept …\n${whole.slice(whole.length - 7)}`;
      expect(keep(pieces)).toBe(expected);
    }),
  );
});

test('what follows a character that did not fit into the head stays behind it', () => {
  expect(keep(['abcd', '🙂', 'e', 'f'])).toBe('abcd🙂ef');
  const units = fc.constantFrom('a', 'b', '🙂');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: units, maxLength: 3 }), { maxLength: 12 }), pieces => {
      const whole = pieces.join('');
      const [head, tail = ''] = keep(pieces).split(/\n… \d+ characters were not kept …\n/);
      if (whole.length <= limits.head + limits.tail - 1) expect(head).toBe(whole);
      expect(whole.startsWith(head!)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
    }),
  );
});

test('reading in between changes nothing', () => {
  const output = new HeadAndTail(limits);
  for (const piece of ['abcdefgh', 'ijklmnop', 'qrstuvwxyz']) {
    output.append(piece);
    expect(output.text.startsWith('abcde')).toBe(true);
  }
  expect(output.text).toBe('abcde\n… 14 characters were not kept …\ntuvwxyz');
});

test('an endless output stays within a few million characters', () => {
  const output = new HeadAndTail();
  const chunk = 'y\n'.repeat(32_000);
  for (let index = 0; index < 1_000; index++) output.append(chunk);
  expect(output.text.length).toBeLessThan(4_200_000);
});
