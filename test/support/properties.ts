import fastCheck from 'fast-check';
import { dose, seed } from './dose.ts';

fastCheck.configureGlobal({ seed, numRuns: dose({ test: 100, prove: 2000 }) });

/** fast-check with the seed and the dose of this run; a failure prints both the seed and the path to replay it. */
export const fc = fastCheck;
