import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { fold } from './journal.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

test('before the first snapshot the page is busy and shows nothing else', async ({ open }) => {
  const { page } = await open({ state: null });
  expect(await page.locator('main[aria-busy=true]').count()).toBe(1);
  expect(await page.getByRole('textbox').count()).toBe(0);
});

test('what takes long can be seen after a moment: the page, and a list that is read', async ({ open }) => {
  const opacity = (page: Page, what: string) =>
    expect.poll(() => page.locator(what).evaluate(each => getComputedStyle(each).opacity)).toBe('1');
  await opacity((await open({ state: null })).page, '.loading');
  for (const view of ['history', 'mcp'] as const) {
    const { page, send } = await open({ state: fold(rested) });
    await send({ type: 'view.shown', view });
    await opacity(page, '.list-loading');
  }
});

test('without a folder the panel offers to open one', async ({ open }) => {
  const { page, intention } = await open({ environment: { folders: [] } });
  await page.getByText('Open folder').click();
  await intention('folder.open');
});

test('a restricted workspace is said, with the way to trust it', async ({ open }) => {
  const { page, intention } = await open({ environment: { trusted: false } });
  await page.getByText('Manage trust').click();
  await intention('trust.manage');
});

test('an example fills the composer and does not send', async ({ open }) => {
  const { page, intentions } = await open();
  await page.getByText('Find out why a test fails and fix it').click();
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await expect.poll(() => box.inputValue()).toBe('Find out why a test fails and fix it');
  expect((await intentions()).map(each => each.type)).not.toContain('prompt.send');
});

test('an example stands above what the user has written, once', async ({ open }) => {
  const { page } = await open();
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await box.fill('My own words');
  for (const _ of [1, 2])
    await page.getByText('Find out why a test fails and fix it', { exact: true }).first().click();
  await expect.poll(() => box.inputValue()).toBe('Find out why a test fails and fix it\n\nMy own words');
});

test('an empty history says so', async ({ open }) => {
  const { page, send } = await open({ state: fold(rested) });
  await send(
    { type: 'view.shown', view: 'history' },
    { type: 'sessions.listed', query: '', sessions: [], limited: false },
  );
  await page.getByText('No earlier sessions in this folder.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
});

test('under reduced motion nothing moves', async ({ open }) => {
  const { page } = await open({ state: null });
  await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
  const animation = await page.locator('.spin').evaluate(each => getComputedStyle(each).animationName);
  expect(animation).toBe('none');
});
