import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    expect: { poll: { timeout: 60_000 } },
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/workbench/**', 'test/panel/**'],
    // The machine that runs this may be very slow: limits only catch what hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
