import { expect } from 'vitest';
import { fold, journal } from './journal.ts';
import { asking, askingEdit, running } from './scenario.ts';
import { test } from './suite.ts';

test('a command is approved with the keyboard alone', async ({ open }) => {
  const { page, intention } = await open({ state: fold(asking) });
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-ask'))).toBe('run2');
  await page.keyboard.press('a');
  expect(await intention('call.decide')).toEqual({
    type: 'call.decide',
    callId: 'run2',
    decision: { kind: 'once' },
  });
});

test('a command is denied with a reason by the keyboard alone, and Escape only closes the field', async ({
  open,
}) => {
  const { page, intention, intentions } = await open({ state: fold(asking) });
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('textbox', { name: /Reason/ }).count()).toBe(0);
  await page.keyboard.press('r');
  await page.keyboard.type('Run only the invoice tests');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({
    kind: 'deny',
    reason: 'Run only the invoice tests',
  });
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
});

test('the narrowest rule that ends the asking is one button', async ({ open }) => {
  const { page, intention } = await open({ state: fold(asking) });
  await page.getByText('Always npm test').click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'always', choice: 'session' });
});

test('an edit that is asked about opens in the diff editor', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingEdit) });
  const card = page.getByRole('group', { name: 'Edit src/invoice.ts, 2 lines added, 1 removed, pending' });
  await card.getByRole('button', { name: 'Open diff' }).click();
  expect(await intention('diff.open')).toEqual({ type: 'diff.open', callId: 'edit2' });
});

test('the buttons answer before the toolkit has defined them', async ({ open }) => {
  const { page, intention } = await open({
    state: fold(asking),
    refuse: /toolkit/,
  });
  expect(await page.evaluate(() => customElements.get('vscode-button'))).toBeUndefined();
  await page.getByText('Run', { exact: true }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('an ask is announced once, and does not take the focus', async ({ open }) => {
  const { page, send, play } = await open({ state: fold(asking.slice(0, -1)) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await play(journal(asking).slice(-1));
  const alert = page.locator('[data-announcer=urgent]');
  await expect.poll(() => alert.textContent()).toMatch(/^Folio asks: Run npm test\. Commands can/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');

  await page.evaluate(() => {
    const counter = window as unknown as { announced: number };
    counter.announced = 0;
    const urgent = document.querySelector('[data-announcer=urgent]')!;
    new MutationObserver(() => counter.announced++).observe(urgent, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await send({ type: 'session.snapshot', state: fold(asking) });
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
  expect(await page.evaluate(() => (window as unknown as { announced: number }).announced)).toBe(0);
});

test('Escape in the composer stops a working agent', async ({ open }) => {
  const { page, intention } = await open({ state: fold(running) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await page.keyboard.press('Escape');
  await intention('turn.stop');
});

test('Escape with an open breakdown closes it and stops nothing', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(running) });
  await page.getByRole('button', { name: /Show the breakdown/ }).click();
  await page.getByRole('dialog', { name: 'Tokens' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
});
