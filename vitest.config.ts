import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/testing/longestFirst.ts';
import { longerTests } from './scripts/testing/stressTests.ts';

/** `npm run prove`: the same tests with many more trials. */
const isProof = process.env.FOLIO_DOSE === 'prove';

export default defineConfig({
  test: {
    expect: { poll: { timeout: 120_000 } },
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/workbench/**', 'test/panel/**'],
    tags: [
      {
        name: longerTests.tag,
        description: `what a quicker test holds, too, left to \`npm run prove -- ${longerTests.name}\``,
      },
    ],
    // The machine that runs this may be very slow: limits only catch what hangs.
    testTimeout: isProof ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    // Files share a worker and its loaded modules, so a file leaves nothing behind in either.
    isolate: false,
    // Many tests wait for processes and servers: two more workers than cores of the smallest machine use that time.
    maxWorkers: 4,
    // The first counts what is alive, which takes the longer the more modules and tests its worker has seen.
    sequence: {
      sequencer: longestFirst('/leaks.test.ts', '/sandbox/attacks.test.ts', '/browser/attacks.test.ts'),
    },
  },
});
