import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    expect: { poll: { timeout: 240_000, interval: 50 } },
    include: ['test/workbench/**/*.spec.ts'],
    globalSetup: ['test/support/chromiumSetup.ts', 'test/workbench/support/globalSetup.ts'],
    // One worker for all files, so that they share one server and one browser.
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    // A window may need minutes on a slow machine: limits only catch what hangs.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
});
