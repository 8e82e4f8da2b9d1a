import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { OpenSession } from '../../src/protocol/panel/sessions.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { asking } from './scenario.ts';
import { entry, history, listed, openNow, session } from './sessionScenes.ts';
import { test } from './suite.ts';

type Open = (options?: PanelOptions) => Promise<PanelPage>;

/** @param sessions absent: one of every need, with more on the disk */
async function openInbox(open: Open, sessions?: readonly OpenSession[], options?: PanelOptions) {
  const panel = await open({ state: session('session-1'), ...options });
  await panel.send(
    { type: 'sessions.open', sessions: sessions ?? openNow() },
    { type: 'view.shown', view: 'history' },
  );
  await panel.intention('sessions.list');
  await panel.send(listed(sessions ? [entry('old')] : history()));
  await panel.page.locator('.session-buttons').first().waitFor();
  await settled(panel);
  return panel;
}

/** What asks has stood where it stands for long enough. */
async function settled({ page }: PanelPage): Promise<void> {
  await expect.poll(() => page.locator('.session-buttons[aria-disabled]').count()).toBe(0);
}

const row = ({ page }: PanelPage, hasText: RegExp) => page.locator('.session').filter({ hasText });

const focused = ({ page }: PanelPage) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-session]')?.dataset.session);

async function decisions({ intentions }: PanelPage) {
  return (await intentions()).filter(each => each.type === 'call.decide');
}

/** The same session, with another plain ask. */
function asks(sessionId: string, askId: string, since = 0): OpenSession {
  return {
    sessionId,
    title: `Session ${sessionId}`,
    status: 'waiting',
    since,
    ask: {
      callId: 'run',
      text: `npm run ${askId}`,
      reason: 'It asks.',
      plain: { askId, kind: 'command' },
    },
  };
}

/** Presses key and button of the row that comes to the first place, in the moment in which it does. */
function pressWhenMoved(page: Page): Promise<void> {
  return page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const first = document.querySelector<HTMLElement>('[data-session]');
      if (first?.dataset.session !== 'b') return;
      watch.disconnect();
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
      first.querySelector<HTMLElement>('.session-buttons vscode-button')?.click();
      document.body.dataset.pressed = 'b';
    });
    watch.observe(document.body, { subtree: true, childList: true });
  });
}

const works = (sessionId: string): OpenSession => ({
  sessionId,
  title: `Session ${sessionId}`,
  status: 'working',
});

test('an open session says its worktree, changes, chapter, cost and how long it is so', async ({ open }) => {
  const panel = await openInbox(open, undefined, { width: 600 });
  const words = await row(panel, /Move to ESM/).innerText();
  for (const part of ['esm', '+140', '−96', 'Surveying imports', '$1.40', '25 min ago'])
    expect(words).toContain(part);
  expect(await row(panel, /Ask the tax office/).innerText()).toContain('Ended in an error');
  expect(await row(panel, /Worktree esm/).count()).toBe(1);
  expect(await row(panel, /Round once, at the end.*Container/).count()).toBe(1);
});

test('the longest wait stands first, so that one that begins to wait moves no button', async ({ open }) => {
  const { page } = await openInbox(open);
  const titles = await page.locator('section').first().locator('.session-title').allTextContents();
  expect(titles.slice(0, 2)).toEqual(['Publish the package', 'Pick a tax rule']);
});

test('a plain ask is answered from its row, in the name of its session', async ({ open }) => {
  const panel = await openInbox(open);
  await panel.page.getByRole('button', { name: /^Run/ }).click();
  expect(await panel.intention('call.decide')).toEqual({
    type: 'call.decide',
    sessionId: 'c',
    callId: 'run2',
    askId: 'ask-c',
    decision: { kind: 'once' },
  });
});

test('A and R decide on the row that has the focus, and nothing else', async ({ open }) => {
  const panel = await openInbox(open);
  const { page, intention } = panel;
  await row(panel, /Move to ESM/).focus();
  await page.keyboard.press('a');
  await row(panel, /Pick a tax rule/).focus();
  await page.keyboard.press('a');
  expect(await decisions(panel)).toEqual([]);
  await row(panel, /Publish the package/).focus();
  await page.keyboard.press('r');
  expect(await intention('call.decide')).toMatchObject({ sessionId: 'c', decision: { kind: 'deny' } });
});

test('after an answer the focus is on what waits next, and a press meant for the first decides nothing', async ({
  open,
}) => {
  const panel = await openInbox(open, [asks('a', 'a1', 1), asks('b', 'b1', 2)]);
  const { page, send } = panel;
  await row(panel, /Session a/).focus();
  await page.keyboard.press('a');
  await expect.poll(() => decisions(panel)).toHaveLength(1);
  await pressWhenMoved(page);
  await send({ type: 'sessions.open', sessions: [works('a'), asks('b', 'b1', 2)] });
  await page.locator('body[data-pressed]').waitFor();
  await expect.poll(() => focused(panel)).toBe('b');
  await settled(panel);
  expect(await decisions(panel)).toHaveLength(1);
  await page.keyboard.press('a');
  await expect.poll(() => decisions(panel)).toHaveLength(2);
  await send({ type: 'sessions.open', sessions: [works('a'), works('b')] });
  await expect.poll(() => row(panel, /Session b/).innerText()).not.toContain('npm run');
  expect(await focused(panel)).toBe('b');
});

test('a key that is held down does not decide on what the same session asks next', async ({ open }) => {
  const panel = await openInbox(open, [asks('a', 'a1')]);
  const { page, send } = panel;
  await row(panel, /Session a/).focus();
  await page.keyboard.down('a');
  await expect.poll(() => decisions(panel)).toHaveLength(1);
  await send({ type: 'sessions.open', sessions: [asks('a', 'a2')] });
  await page.getByText('npm run a2').waitFor();
  await settled(panel);
  await page.keyboard.down('a');
  await page.keyboard.up('a');
  expect(await decisions(panel)).toHaveLength(1);
  // Enter on the button, too.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.down('Enter');
  await expect.poll(() => decisions(panel)).toHaveLength(2);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect((await panel.intentions()).map(({ type }) => type)).not.toContain('session.open');
});

test('a richer ask has one button, which opens the session at its card', async ({ open }) => {
  const panel = await openInbox(open, [
    { ...asks('session-2', 'x'), ask: { callId: 'run2', text: 'Run npm test', reason: '' } },
  ]);
  const { page, intention } = panel;
  expect(await page.getByRole('button', { name: /^Deny/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  expect((await intention('session.open')).sessionId).toBe('session-2');
  await panel.show({ ...fold(asking), sessionId: 'session-2' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-ask'))).toBe('run2');
});

test('the filter leaves one need, as long as there is any', async ({ open }) => {
  const panel = await openInbox(open, [asks('a', 'a1'), works('b')]);
  const { page, send } = panel;
  const filter = page.getByRole('button', { name: 'Waiting for you 1' });
  await filter.press('Enter');
  expect(await filter.getAttribute('aria-pressed')).toBe('true');
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Waiting for you']);
  await send({ type: 'sessions.open', sessions: [works('a'), works('b'), works('c')] });
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await filter.count()).toBe(0);
});

test('Ctrl+Enter and a button open a session in the editor, and never decide', async ({ open }) => {
  const panel = await openInbox(open);
  const { page, intention } = panel;
  await row(panel, /Publish the package/).focus();
  await page.keyboard.press('Control+Enter');
  expect(await intention('session.openInEditor')).toEqual({ type: 'session.openInEditor', sessionId: 'c' });
  await row(panel, /Move to ESM/).hover();
  await page.getByRole('button', { name: /^Open Move to ESM in Editor/ }).click();
  await expect.poll(async () => (await intention('session.openInEditor')).sessionId).toBe('b');
  const types = (await panel.intentions()).map(({ type }) => type);
  expect(types).not.toContain('call.decide');
  expect(types).not.toContain('session.open');
});
