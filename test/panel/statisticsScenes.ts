/* A month of work with several models. */

import type { Statistics, StatisticsCounts } from '../../src/protocol/panel/statistics.ts';

const models = ['gemini-3-pro', 'claude-opus-with-a-name-that-is-quite-long-indeed', 'qwen-coder'];

function counts(weight: number, priced: boolean): StatisticsCounts {
  return {
    requests: 12 * weight,
    input: 480_000 * weight,
    cached: 390_000 * weight,
    output: 9_000 * weight,
    workMs: 260_000 * weight,
    ...(priced ? { cost: 0.42 * weight } : { unpriced: 12 * weight }),
  };
}

const bars = Array.from({ length: 30 }, (_, day) => ({
  start: `2026-11-${String(day + 1).padStart(2, '0')}`,
  models: models.flatMap((name, at) => {
    const weight = day % 7 > 4 ? 0 : (day * (at + 3)) % 5;
    return weight === 0 ? [] : [{ name, counts: counts(weight, at < 2) }];
  }),
}));

export const statistics: Statistics = {
  sessions: 41,
  totals: {
    ...counts(90, true),
    unpriced: 60,
    prompts: 213,
    waitMs: 3_900_000,
    calls: 2_310,
    failed: 96,
    unasked: 2_140,
    allowed: 148,
    always: 9,
    refused: 14,
    refusedByRule: 8,
    testsPassed: 12_480,
    testsFailed: 61,
    added: 8_412,
    removed: 3_907,
    keptAdded: 7_205,
    keptRemoved: 3_511,
  },
  bars,
  models: models.map((name, at) => ({ name, counts: counts(60 - 20 * at, at < 2) })),
  projects: [
    { name: '/home/me/work/a-project-with-a-name-that-is-long-enough-to-be-cut', counts: counts(70, true) },
    { name: '/home/me/work/invoices', counts: counts(20, true) },
  ],
  tools: [
    { name: 'run_shell_command', counts: { calls: 812, failed: 60, callMs: 2_400_000, refused: 11 } },
    { name: 'read_file', counts: { calls: 640, failed: 3, callMs: 9_000 } },
    { name: 'mcp_tickets_search_everything_that_is_open', counts: { calls: 12, callMs: 31_000 } },
  ],
  unreadable: 1,
};

export const noStatistics: Statistics = {
  sessions: 0,
  totals: {},
  bars: [],
  models: [],
  projects: [],
  tools: [],
  unreadable: 0,
};
