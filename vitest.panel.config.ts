import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/testing/longestFirst.ts';

/** The panel's page in Chromium with a host of the test's own; no VS Code. */
export default defineConfig({
  test: {
    expect: { poll: { timeout: 60_000 } },
    include: ['test/panel/**/*.spec.ts'],
    globalSetup: ['test/support/chromiumSetup.ts', 'test/panel/globalSetup.ts'],
    // The machine that runs this may be very slow: limits only catch what hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // A worker keeps its browser from file to file.
    isolate: false,
    sequence: { sequencer: longestFirst('/scenes.spec.ts') },
  },
});
