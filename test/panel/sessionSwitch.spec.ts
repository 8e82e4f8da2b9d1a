import { expect } from 'vitest';
import type { OpenSession } from '../../src/protocol/panel/sessions.ts';
import { fold } from './journal.ts';
import { asking, running } from './scenario.ts';
import { freshSession, listed, openBeside, session } from './sessionScenes.ts';
import { test } from './suite.ts';

const field = { name: 'Ask Folio' };

test('other open sessions stand in one line, the one that waits first; the rest is in the history', async ({
  open,
}) => {
  const { page, send, show, intention } = await open({ state: fold(running) });
  expect(await page.locator('.open-sessions').evaluate(each => each.clientHeight)).toBe(0);
  await send({ type: 'sessions.open', sessions: openBeside });
  const strip = page.getByRole('region', { name: 'Other open sessions' });
  await strip.getByText('Waiting for you', { exact: true }).waitFor();
  expect(await strip.locator('.strip').count()).toBe(1);
  expect(await strip.getByRole('status').textContent()).toBe(
    'Publish the package to the registry, with its changelog waits for you',
  );
  await strip.getByRole('button', { name: '2 more open sessions' }).focus();
  await page.keyboard.press('Enter');
  await send(listed([]));
  const esm = page.getByRole('button', { name: /^Working: Move to ESM/ });
  await esm.waitFor();
  await page.keyboard.press('Escape');
  await send({
    type: 'sessions.open',
    sessions: [
      { sessionId: 'session-1', title: 'Fix it', status: 'working' },
      { sessionId: 'b', title: 'Move to ESM', status: 'working' },
    ],
  });
  const only = strip.getByRole('button', { name: 'Working: Also open: Move to ESM' });
  expect(await only.getAttribute('title')).toBe('Show Move to ESM (working)');
  await strip.getByRole('button', { name: 'History' }).waitFor();
  await only.focus();
  await page.keyboard.press('Enter');
  expect((await intention('session.open')).sessionId).toBe('b');
  await show(session('b'));
  await page.getByText('What is b?').waitFor();
  await strip.getByRole('button', { name: 'Working: Also open: Fix it' }).waitFor();
  // The button is gone with its session: who pressed it continues in the prompt.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Ask Folio');
  await send({ type: 'sessions.open', sessions: [] });
  await expect.poll(() => strip.locator('.strip').count()).toBe(0);
});

test('a session with changes to review says so, before those that merely rest', async ({ open }) => {
  const { page, send } = await open({ state: fold(running) });
  await send({
    type: 'sessions.open',
    sessions: [
      { sessionId: 'a', title: 'Only asked', status: 'resting' },
      { sessionId: 'b', title: 'Round once', status: 'reviewing' },
    ],
  });
  const strip = page.getByRole('region', { name: 'Other open sessions' });
  await strip.getByRole('button', { name: 'Changes to review: Also open: Round once' }).waitFor();
  expect(await strip.locator('.strip').innerText()).toContain('Changes to review');
});

test('a draft stays with its session, and comes back with it', async ({ open }) => {
  const { page, send, show, memory } = await open({ state: session('a') });
  const box = page.getByRole('textbox', field);
  await box.fill('For a alone');
  await send({
    type: 'attachment.added',
    attachment: { kind: 'file', path: 'src/tax.ts' },
  });
  await page.getByRole('button', { name: /Remove .*tax.ts/ }).waitFor();
  await show(session('b'));
  await expect.poll(() => box.inputValue()).toBe('');
  expect(await page.getByRole('button', { name: /Remove .*tax.ts/ }).count()).toBe(0);
  await box.fill('For b');
  await show(session('a'));
  await expect.poll(() => box.inputValue()).toBe('For a alone');
  await page.getByRole('button', { name: /Remove .*tax.ts/ }).waitFor();
  await expect.poll(async () => JSON.stringify(await memory())).toContain('For b');
});

test('drafts of sessions that are not shown survive a page that was hidden', async ({ open }) => {
  const first = await open({ state: session('a') });
  await first.page.getByRole('textbox', field).fill('For a alone');
  await first.show(session('b'));
  await first.page.getByText('What is b?').waitFor();
  await expect.poll(async () => JSON.stringify(await first.memory())).toContain('"sessionId":"b"');
  const second = await open({ state: session('b'), memory: await first.memory() });
  expect(await second.page.getByRole('textbox', field).inputValue()).toBe('');
  await second.show(session('a'));
  await expect.poll(() => second.page.getByRole('textbox', field).inputValue()).toBe('For a alone');
});

test('what was written before the first prompt waits in the next new session', async ({ open }) => {
  const { page, show, play } = await open({ state: freshSession('n') });
  const box = page.getByRole('textbox', field);
  await box.fill('Not asked yet');
  await show(session('a'));
  await expect.poll(() => box.inputValue()).toBe('');
  await show(freshSession('m'));
  await expect.poll(() => box.inputValue()).toBe('Not asked yet');
  // The first prompt makes it a session like the others; what is written meanwhile stays in it.
  await play([{ type: 'turn.started', turnId: 't1', text: 'Go', attachments: [], seq: 2, at: Date.now() }]);
  await page.locator('.prompt', { hasText: 'Go' }).waitFor();
  await show(session('a'));
  await expect.poll(() => box.inputValue()).toBe('');
  await show(session('m'));
  await expect.poll(() => box.inputValue()).toBe('Not asked yet');
});

test('who comes back to a session finds it scrolled and folded as it was', async ({ open }) => {
  const { page, show, memory } = await open({ state: session('a') });
  const log = page.getByRole('log');
  const top = () => log.evaluate(each => Math.round(each.scrollTop));
  const toEnd = () => log.evaluate(each => each.scrollHeight - each.scrollTop - each.clientHeight);
  await expect.poll(toEnd).toBeLessThan(24);
  await log.hover();
  await page.mouse.wheel(0, -700);
  await expect.poll(toEnd).toBeGreaterThan(400);
  // A wheel scrolls smoothly.
  await expect
    .poll(async () => ((await memory()) as { scroll?: number }).scroll === (await top()))
    .toBe(true);
  const left = await top();
  await show(session('b'));
  await page.getByText('What is b?').waitFor();
  // Another session begins at its end.
  await expect.poll(toEnd).toBeLessThan(24);
  await show(session('a'));
  await page.getByText('What is a?').waitFor();
  await expect.poll(top).toBe(left);
});

test('what is in the middle of being decided in one session is not carried into another', async ({
  open,
}) => {
  const { page, show } = await open({ state: fold(asking) });
  await page.getByText('Deny…').click();
  await page.keyboard.type('Because');
  await show({ ...fold(asking), sessionId: 'other' });
  await expect.poll(() => page.getByText('Deny…').count()).toBe(1);
  expect(await page.locator('.deny').count()).toBe(0);
});

test('a session that is shown from the background says so, and is brought back', async ({ open }) => {
  const panel = await open({ state: session('session-1') });
  const facts: OpenSession = { sessionId: 'session-1', title: 'Session session-1', status: 'working' };
  await panel.send({ type: 'sessions.open', sessions: [{ ...facts, background: 'queued' }] });
  await panel.page.getByText('Waiting for a free slot').waitFor();
  await panel.send({ type: 'sessions.open', sessions: [{ ...facts, background: 'working' }] });
  await panel.page.getByText('In the background').waitFor();
  await panel.page.getByRole('button', { name: 'Bring Back' }).click();
  expect(await panel.intention('session.bringBack')).toMatchObject({ sessionId: 'session-1' });
  await panel.send({ type: 'sessions.open', sessions: [facts] });
  await panel.page.getByText('In the background').waitFor({ state: 'detached' });
});
