/* Attempts of several models at one task. */

import type { Attempt, Comparison } from '../../src/protocol/panel/comparison.ts';

export const attempts: readonly Attempt[] = [
  {
    sessionId: 'a1',
    model: 'gemini-3-pro',
    facts: {
      status: 'reviewing',
      activeMs: 184_000,
      cost: 0.42,
      files: 3,
      counts: { added: 48, removed: 12 },
      chapters: ['Finding where totals are rounded', 'Rounding once, at the end', 'Proving it with tests'],
      tests: { summary: '128 passed', passed: true },
      taken: false,
      worktree: 'work-4f2a91-1',
    },
  },
  {
    sessionId: 'a2',
    model: 'claude-opus-with-a-name-that-is-quite-long-indeed',
    facts: {
      status: 'working',
      since: Date.now() - 65_000,
      activeMs: 62_000,
      cost: 0.08,
      unpriced: true,
      files: 1,
      counts: { added: 5, removed: 1 },
      chapters: ['Rounding every line'],
      tests: { summary: '126 passed, 2 failed', passed: false, outdated: true },
      taken: false,
      worktree: 'work-4f2a91-2',
    },
  },
  {
    sessionId: 'a3',
    model: 'qwen-coder',
    facts: {
      status: 'failed',
      activeMs: 0,
      files: 0,
      counts: { added: 0, removed: 0 },
      chapters: [],
      taken: false,
      worktree: 'work-4f2a91-3',
    },
  },
  { sessionId: 'a4', model: 'gpt-small' },
];

export const comparison: Comparison = {
  prompt: 'Totals of invoices differ by a cent from the sum of their lines. Find out why, mend it, prove it.',
  attempts,
};
