import { describe, expect, it } from 'vitest';
import { HeadAndTail } from '../../src/extension/base/headAndTail.ts';
import { cutMiddle, headOf, oneLine, tailOf, tailWithinBytes } from '../../src/extension/base/text.ts';
import { sanitiseDescription } from '../../src/extension/base/untrusted.ts';
import { wellFormedJson } from '../../src/extension/models/wire/wellFormedJson.ts';
import { takeLines } from '../../src/extension/tools/files/lineExcerpt.ts';
import { fc } from '../support/properties.ts';

/** Text whose characters take one unit and two. */
const texts = fc.string({ unit: fc.constantFrom('x', '🙂', '𝔸', 'é', '中') });
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

describe('a cut', () => {
  it('by bytes keeps as many whole characters of the end as fit', () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, limit) => {
        const kept = tailWithinBytes(text, limit);
        expect(text.endsWith(kept)).toBe(true);
        const before = [...text].at(-[...kept].length - 1) ?? '';
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
        if (kept !== text) expect(Buffer.byteLength(before + kept)).toBeGreaterThan(limit);
      }),
    );
  });

  it('never goes through a character, wherever it falls', () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, limit) => {
        const kept = new HeadAndTail({ head: limit, tail: limit });
        for (let at = 0; at < 5; at++) kept.append(text);
        const cuts = [
          headOf(text, limit),
          tailOf(text, limit),
          cutMiddle(text, limit),
          oneLine(text, limit + 1),
          sanitiseDescription(text, limit),
          kept.text,
        ];
        for (const cut of cuts) expect(isWhole(cut), cut).toBe(true);
        expect(headOf(text, limit).length).toBeLessThanOrEqual(limit);
        expect(text.startsWith(headOf(text, limit))).toBe(true);
        expect(text.endsWith(tailOf(text, limit))).toBe(true);
      }),
    );
  });

  it('of a long line leaves whole characters', () => {
    for (const lead of ['', 'x', 'xx']) {
      const { text } = takeLines(lead + '🙂'.repeat(1500));
      expect(isWhole(text)).toBe(true);
    }
  });
});

describe('the JSON of a body', () => {
  it('keeps every whole text and replaces each half of a character, in keys and values', () => {
    const units = fc.constantFrom('\ud83d', '\ude42', '🙂', '\\', '\\ud83d', '"', 'u');
    const strings = fc.string({ unit: units });
    fc.assert(
      fc.property(fc.dictionary(strings, strings), value => {
        const read: unknown = JSON.parse(wellFormedJson(JSON.stringify(value)));
        const expected = Object.entries(value).map(pair =>
          pair.map(it => it.replace(/\p{Surrogate}/gu, '\ufffd')),
        );
        expect(read).toEqual(Object.fromEntries(expected));
      }),
    );
  });
});
