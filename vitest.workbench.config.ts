import { defineConfig } from 'vitest/config';
import { endToEndTests } from './scripts/testing/stressTests.ts';

export default defineConfig({
  test: {
    expect: { poll: { timeout: 240_000, interval: 50 } },
    include: ['test/workbench/**/*.spec.ts'],
    tags: [
      {
        name: endToEndTests.tag,
        description: `a long way, left to \`npm run prove -- ${endToEndTests.name}\``,
      },
    ],
    globalSetup: ['test/support/chromiumSetup.ts', 'test/workbench/support/globalSetup.ts'],
    // Each worker has a server, a browser and a window that its files share: one alone waits a third of the time.
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    // A window may need minutes on a slow machine: limits only catch what hangs.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
});
