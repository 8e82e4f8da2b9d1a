import fc from 'fast-check';
import { runSize, seed } from './runSize.ts';

fc.configureGlobal({ seed, numRuns: runSize({ test: 40, prove: 2000 }) });

/** fast-check with the seed and the run size of this run; a failure prints both the seed and the path to replay it. */
export { fc };

/** Any character, as fast-check's unit "binary", whose making alone takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  // Halves of pairs are left out.
  .map(place => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
