import { describe, expect, test } from 'vitest';
import { MaskedStream, newestLines } from '../../../src/extension/core/recording/unfinishedText.ts';
import { fc } from '../../support/properties.ts';
import { secrets } from '../../support/secrets.ts';

/** A text cut at random places. */
const pieces = (text: string) =>
  fc.array(fc.nat(text.length), { maxLength: 12 }).map(cuts => {
    const sorted = [0, ...cuts.sort((a, b) => a - b), text.length];
    return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
  });

describe('output that is written as it comes', () => {
  test.each(Object.entries(secrets))('%s is masked wherever it is cut', (_name, { text, hidden }) => {
    const output = `one\nHere it is: ${text}\nand more\nof it`;
    fc.assert(
      fc.property(pieces(output), parts => {
        const stream = new MaskedStream();
        const written = parts.map(part => stream.next(part)).join('');
        expect(written).not.toContain(hidden);
        expect(written).toMatch(/^one\nHere it is: [\s\S]*\[masked\][\s\S]*\nand more\nof it$/);
      }),
    );
  });

  test('is the same text where there is no secret, and nothing is held back', () => {
    const output = 'PASS a.test.ts\n  ✓ works (3 ms)\nToken count: 17\n% done';
    fc.assert(
      fc.property(pieces(output), parts => {
        const stream = new MaskedStream();
        let given = '';
        let written = '';
        for (const part of parts) {
          given += part;
          written += stream.next(part);
          expect(written).toBe(given);
        }
      }),
    );
  });
});

describe('the newest part of an output', () => {
  test.each(Object.entries(secrets))('has no end of %s without its beginning', (_name, { text, hidden }) => {
    const whole = `one\n${text}\nand more\n`;
    for (let limit = 0; limit <= whole.length; limit++) {
      const kept = newestLines(whole, limit);
      expect(new MaskedStream().next(kept), `${limit} characters`).not.toContain(hidden);
    }
  });

  test('is cut again and again as it grows, with the same care', () => {
    const { text, hidden } = secrets['a private key']!;
    let kept = '';
    for (const line of text.split('\n').flatMap(each => [`${each}\n`])) kept = newestLines(kept + line, 50);
    expect(new MaskedStream().next(kept)).not.toContain(hidden);
    kept = newestLines(`${kept}${'x'.repeat(30)}\nafter\n`, 50);
    expect(kept).toMatch(/x{30}\nafter\n$/);
    expect(new MaskedStream().next(kept)).not.toContain(hidden);
  });
});
