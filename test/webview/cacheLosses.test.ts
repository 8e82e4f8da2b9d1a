import { expect, test } from 'vitest';
import { describeCacheLosses } from '../../src/webview/context/cacheLosses.ts';

test('the loss of a cache is told with its time, its cause and what was read again', () => {
  const at = new Date(2026, 10, 23, 14, 3).getTime();
  const newest = { by: 'tools', tokens: 45_000, at } as const;
  const one = describeCacheLosses({ count: 1, newest });
  expect(one).toMatch(/^The provider’s cache was lost once, at .*3.*: the tools on offer changed\. 45/);
  expect(describeCacheLosses({ count: 3, newest })).toContain('3 times, last at ');
});
