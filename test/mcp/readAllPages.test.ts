import { expect, test } from 'vitest';
import { readAllPages } from '../../src/extension/mcp/connection/readAllPages.ts';

type Page = Readonly<Record<string, unknown>>;

async function list(page: (at: number) => Page, isLate: (pages: number) => boolean = () => false) {
  const asked: unknown[] = [];
  const listing = await readAllPages(
    'tools/list',
    async params => page(asked.push(params) - 1),
    () => isLate(asked.length),
  );
  return { ...listing, asked };
}

test('pages are asked for by the cursor of the one before, until there is none', async () => {
  const { entries, isCut, asked } = await list(at => ({
    tools: [at],
    ...(at < 2 && { nextCursor: `c${at}` }),
  }));
  expect(entries).toEqual([0, 1, 2]);
  expect(asked).toEqual([{}, { cursor: 'c0' }, { cursor: 'c1' }]);
  expect(isCut).toBe(false);
});

test.each([
  ['whose pages never end', (at: number) => ({ tools: [at], nextCursor: `c${at}` }), 100],
  ['whose pages are empty and never end', (at: number) => ({ tools: [], nextCursor: `c${at}` }), 0],
  ['that leads back to the same page', () => ({ tools: ['x'], nextCursor: 'same' }), 2],
  ['that is too long in one page', () => ({ tools: Array(5_000).fill('x') }), 2_000],
])('a list %s is cut and says so', async (_name, page, count) => {
  const { entries, isCut } = await list(page);
  expect(entries).toHaveLength(count);
  expect(isCut).toBe(true);
});

test('a server that takes its time for each page is not asked for more than it had time for', async () => {
  const { entries, isCut } = await list(
    at => ({ tools: [at], nextCursor: `c${at}` }),
    pages => pages >= 3,
  );
  expect(entries).toEqual([0, 1, 2]);
  expect(isCut).toBe(true);
});
