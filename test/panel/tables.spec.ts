import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionState } from '../../src/protocol/state.ts';
import { fold, journal, prompt, started, step, text } from './journal.ts';
import { test } from './suite.ts';

function answering(answer: string): SessionState {
  return fold([started, prompt('t1', 'Hello'), step('s1', 1), text('s1', answer)]);
}

const rows = [
  '| [a.ts](a.ts) | 1,204 | 900 KB | item 10 |',
  '| b.ts | -3.5 | 1.2 MB | item 9 |',
  '| c.ts | | 10 B | Item 1 |',
  '| d.ts | 12 | 2 KB | item 9 |',
];
const table = ['| File | Lines | Size | Name |', '|---|--:|---|---|', ...rows].join('\n');

function filesIn(page: Page): Promise<readonly string[]> {
  return page.locator('.answer tbody tr td:first-child').allTextContents();
}

test('a press on a heading sorts by it: up, down, and back to the order of the answer', async ({ open }) => {
  const { page } = await open({ state: answering(`${table}\n\nEnd.`) });
  const lines = page.getByRole('columnheader', { name: 'Lines' });
  await lines.getByRole('button').click();
  expect(await lines.getAttribute('aria-sort')).toBe('ascending');
  expect(await filesIn(page)).toEqual(['b.ts', 'd.ts', 'a.ts', 'c.ts']);
  await page.keyboard.press('Enter');
  expect(await lines.getAttribute('aria-sort')).toBe('descending');
  expect(await filesIn(page)).toEqual(['a.ts', 'd.ts', 'b.ts', 'c.ts']);
  await page.keyboard.press('Space');
  expect(await lines.getAttribute('aria-sort')).toBe(null);
  expect(await filesIn(page)).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
});

test('sizes go by what they measure, words by their numbers, and equal cells keep their order', async ({
  open,
}) => {
  const { page } = await open({ state: answering(`${table}\n\nEnd.`) });
  await page.getByRole('button', { name: 'Size' }).click();
  expect(await filesIn(page)).toEqual(['c.ts', 'd.ts', 'a.ts', 'b.ts']);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  expect(await filesIn(page)).toEqual(['c.ts', 'b.ts', 'd.ts', 'a.ts']);
  expect(await page.locator('th[aria-sort]').count()).toBe(1);
});

test('a table that grows keeps the order that was chosen, and the focus', async ({ open }) => {
  const panel = await open({ state: answering(table) });
  await panel.page.getByRole('button', { name: 'Lines' }).press('Enter');
  await panel.play(journal([text('s1', '\n| e.ts | 1 | 3 B | item 2 |')], 4));
  await expect.poll(() => filesIn(panel.page)).toEqual(['b.ts', 'e.ts', 'd.ts', 'a.ts', 'c.ts']);
  expect(await panel.page.evaluate(() => document.activeElement?.textContent)).toBe('Lines');
});

test('a table is copied for spreadsheets as it is sorted, and no cell becomes a formula', async ({
  open,
}) => {
  const evil = '| =HYPERLINK("https://evil.example") | -1 | +1 | @SUM(A1) |';
  const { page, intention } = await open({ state: answering(`${table}\n${evil}\n\nEnd.`) });
  await page.getByRole('button', { name: 'Lines' }).click();
  await page.getByRole('button', { name: 'Copy table' }).click();
  expect((await intention('text.copy')).text.split('\n')).toEqual([
    'File\tLines\tSize\tName',
    'b.ts\t-3.5\t1.2 MB\titem 9',
    '\'=HYPERLINK("https://evil.example")\t-1\t+1\t\'@SUM(A1)',
    'd.ts\t12\t2 KB\titem 9',
    'a.ts\t1,204\t900 KB\titem 10',
    'c.ts\t\t10 B\tItem 1',
    '',
  ]);
});

test('a heading with a link stays a heading, and a single row has nothing to sort', async ({ open }) => {
  const linked = '| [docs](https://example.com) | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |';
  const single = '| Only | One |\n|---|---|\n| 1 | 2 |';
  const { page } = await open({ state: answering(`${linked}\n\n${single}\n\nEnd.`) });
  await page.getByRole('link', { name: 'docs' }).waitFor();
  expect(await page.locator('.table-sort').allTextContents()).toEqual(['B']);
});
