import { randomInt } from 'node:crypto';

/** `npm run prove` sets the first; `--seed` of it and of `npm test` sets the second. */
const { FOLIO_DOSE, FOLIO_SEED } = process.env;

/**
 * Seed of all random choices of this run, to be named in failures. The scripts choose one for all files and print it;
 * vitest started by hand has one for each worker.
 */
export const seed = FOLIO_SEED === undefined ? randomInt(2 ** 31 - 1) : Number(FOLIO_SEED);

/** Returns the number of random trials: few in `npm test`, many in `npm run prove`. */
export function runSize({ test, prove }: { readonly test: number; readonly prove: number }): number {
  return FOLIO_DOSE === 'prove' ? prove : test;
}

/** Returns a generator of numbers in [0, 1), determined by the seed. */
export function chanceFrom(start: number = seed): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
