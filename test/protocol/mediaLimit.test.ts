import { expect, test } from 'vitest';
import { isBase64 } from '../../src/protocol/mediaLimit.ts';
import { fc } from '../support/properties.ts';

test('Base64 is what the pattern of it says, also for a file of 40 MB', () => {
  const letters = fc.constantFrom('A', 'z', '0', '+', '/', '=', '-', ' ', 'é');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 9 }), text => {
      const isPlain = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
      expect(isBase64(text)).toBe(isPlain);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), bytes => {
      expect(isBase64(Buffer.from(bytes).toString('base64'))).toBe(true);
    }),
  );
  const large = Buffer.alloc(40 * 1024 * 1024, 7).toString('base64');
  expect([isBase64(large), isBase64(`${large.slice(0, -1)}!`)]).toEqual([true, false]);
});
