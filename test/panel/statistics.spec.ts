import { expect } from 'vitest';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { rested } from './scenario.ts';
import { noStatistics, statistics } from './statisticsScenes.ts';
import { test } from './suite.ts';

type Told = Omit<Extract<ToWebview, { type: 'statistics.told' }>, 'type'>;

async function openStatistics(open: (options?: PanelOptions) => Promise<PanelPage>, told?: Told) {
  const panel = await open({ state: fold(rested) });
  await panel.send({ type: 'view.shown', view: 'statistics' });
  await panel.page.getByRole('heading', { name: 'Statistics' }).waitFor();
  if (told) await panel.send({ type: 'statistics.told', ...told });
  return panel;
}

test('the numbers stand beside their names, and tables say what the plot shows', async ({ open }) => {
  const { page, intention } = await openStatistics(open, { days: 30, statistics });
  expect(await intention('panel.statistics')).toEqual({ type: 'panel.statistics', days: 30 });
  const totals = page.locator('.statistics-totals');
  for (const words of ['at least $37.80', '41', '213 prompts', '81% cached', '148 allowed, 14 denied'])
    await totals.getByText(words, { exact: false }).first().waitFor();
  await expect.poll(() => page.locator('.bar-chart-bar').count()).toBe(30);
  await page.getByText('The same as a table').click();
  const row = page.getByRole('row', { name: /Nov 30/ }).first();
  await row.waitFor();
  await page.getByRole('region', { name: 'By tool' }).getByText('run_shell_command').waitFor();
});

test('another time is asked for, and the CSV is of what is shown', async ({ open }) => {
  const { page, send, intention } = await openStatistics(open, { days: 30, statistics });
  // Arrows choose in a picker, and walk the page elsewhere.
  await page.getByRole('combobox', { name: 'Time' }).press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => intention('panel.statistics')).toEqual({ type: 'panel.statistics', days: 7 });
  await send({ type: 'statistics.told', days: 7, statistics });
  await page.locator('vscode-button', { hasText: 'Save as CSV' }).click();
  expect(await intention('statistics.save')).toEqual({ type: 'statistics.save', days: 7 });
});

test('it says while it reads, when there is nothing, and what is wrong', async ({ open }) => {
  const { page, send } = await openStatistics(open);
  await page.getByText('Adding up…').waitFor();
  await send({ type: 'statistics.told', days: 30, statistics: noStatistics });
  await page.getByText('Nothing was done in this time.').waitFor();
  expect(await page.locator('vscode-button', { hasText: 'Save as CSV' }).getAttribute('disabled')).not.toBe(
    null,
  );
  await send({ type: 'statistics.told', days: 30, problem: 'The disk does not answer.' });
  await page.getByRole('alert').getByText('The disk does not answer.').waitFor();
});

test('a narrow panel scrolls no page sideways', async ({ open }) => {
  const { page } = await openStatistics(open, { days: 30, statistics });
  await page.setViewportSize({ width: 280, height: 600 });
  await page.locator('.bar-chart').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
  expect(
    await page.locator('.statistics').evaluate(element => element.scrollWidth - element.clientWidth),
  ).toBeLessThanOrEqual(0);
});
