import { expect } from 'vitest';
import type { Attempt } from '../../src/protocol/panel/comparison.ts';
import { attempts, comparison } from './comparisonScenes.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

async function openComparison(
  open: (options?: PanelOptions) => Promise<PanelPage>,
  shown: readonly Attempt[] = attempts,
) {
  const panel = await open({ state: fold(rested) });
  await panel.send(
    { type: 'view.shown', view: 'comparison' },
    { type: 'comparison.told', comparison: { ...comparison, attempts: shown } },
  );
  await panel.page.getByRole('heading', { name: 'Compare models' }).waitFor();
  return panel;
}

const facts = attempts[0]!.facts!;

test('each attempt says how it stands', async ({ open }) => {
  const { page } = await openComparison(open);
  await expect.poll(() => page.locator('.attempt').count()).toBe(4);
  const [first, second, third, fourth] = await page.locator('.attempt').all();
  for (const words of ['128 passed', '3 files', '$0.42', '3 min', 'Proving it with tests', 'Done'])
    await first!.getByText(words, { exact: false }).first().waitFor();
  for (const words of ['126 passed, 2 failed, before the newest change', 'at least $0.08', 'Working'])
    await second!.getByText(words, { exact: false }).first().waitFor();
  await third!.getByText('price unknown').waitFor();
  await fourth!.getByText('The session cannot be shown here', { exact: false }).waitFor();
  expect(await fourth!.getByText('Take', { exact: true }).count()).toBe(0);
});

test('an attempt at rest with changes is taken; others cannot be', async ({ open }) => {
  const { page, intention } = await openComparison(open);
  const take = (index: number) =>
    page.locator('.attempt').nth(index).locator('vscode-button', { hasText: 'Take' });
  expect(await take(1).getAttribute('disabled')).not.toBeNull();
  expect(await take(2).getAttribute('disabled')).not.toBeNull();
  await take(0).click();
  expect(await intention('comparison.take')).toEqual({ type: 'comparison.take', sessionId: 'a1' });
});

test('keys walk the attempts, open one and discard one', async ({ open }) => {
  const { page, intention } = await openComparison(open);
  await page.locator('.list-page').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  expect(await intention('comparison.discard')).toEqual({ type: 'comparison.discard', sessionId: 'a2' });
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  expect(await intention('session.open')).toEqual({ type: 'session.open', sessionId: 'a1' });
});

test('tests run where an attempt rests, and not while all work', async ({ open }) => {
  const working = { ...facts, status: 'working', since: 1 } as const;
  const { page, send, intention } = await openComparison(open, [{ ...attempts[0]!, facts: working }]);
  const run = page.locator('vscode-button', { hasText: 'Run Tests in All' });
  await expect.poll(() => run.getAttribute('disabled')).not.toBeNull();
  await send({ type: 'comparison.told', comparison });
  await expect.poll(() => run.getAttribute('disabled')).toBeNull();
  await run.click();
  expect(await intention('comparison.test')).toEqual({ type: 'comparison.test' });
});

test('an attempt that is discarded leaves the focus on the page', async ({ open }) => {
  const { page, send } = await openComparison(open);
  await page.locator('.attempt').first().focus();
  await send({ type: 'comparison.told', comparison: { ...comparison, attempts: attempts.slice(1) } });
  await expect.poll(() => page.locator('.attempt').count()).toBe(3);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('.list-page') !== null))
    .toBe(true);
});
