import { expect, test } from 'vitest';
import { OutputDecoder } from '../../src/extension/node/processes/outputDecoder.ts';
import { fc } from '../support/properties.ts';

test('UTF-16 with a mark is decoded wherever its packets are cut', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 }).map(text => text.replace(/^\ufeff/, ''));
  const cuts = fc.array(fc.integer({ min: 2, max: 90 }), { maxLength: 5 });
  fc.assert(
    fc.property(texts, cuts, fc.boolean(), (text, at, isBig) => {
      // A NUL behind the mark would make it one of UTF-32.
      const bytes = Buffer.from(`\ufeffa${text}`, 'utf16le');
      if (isBig) bytes.swap16();
      const decoder = new OutputDecoder();
      const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const decoded = parts.map(part => decoder.decode(part, false)).join('') + decoder.end();
      expect(decoded).toBe(`a${text}`);
    }),
  );
});

test('a character that breaks off is shown as broken', () => {
  for (const end of [
    [0xfe, 0xff, 0x00, 0x61, 0x00],
    [0xff, 0xfe, 0x61, 0x00, 0x62],
  ]) {
    const decoder = new OutputDecoder();
    expect(decoder.decode(Uint8Array.from(end), false) + decoder.end()).toBe('a\ufffd');
  }
});
