import fc from 'fast-check';
import { dose, seed } from './dose.ts';

fc.configureGlobal({ seed, numRuns: dose({ test: 100, prove: 2000 }) });

/** fast-check with the seed and the dose of this run; a failure prints both the seed and the path to replay it. */
export { fc };

/** Any character, as fast-check's unit "binary", whose making alone takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  // Halves of pairs are left out.
  .map(place => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
