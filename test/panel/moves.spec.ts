import { expect } from 'vitest';
import { newestChapter } from '../../src/protocol/state.ts';
import { fold } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { invoice, reviewing } from './reviewScenes.ts';
import { asking, running } from './scenario.ts';
import { test } from './suite.ts';

const focused = ({ page }: PanelPage) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

test('commands walk chapters and cards and unfold them like the keys', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  const { page, send } = panel;
  await page.getByRole('heading', { name: /Reproducing the rounding error/ }).waitFor();
  await send({ type: 'transcript.moved', move: 'nextChapter' });
  await expect.poll(() => focused(panel)).toMatch(/Reading the invoice code/);
  await send({ type: 'transcript.moved', move: 'nextChapter' });
  await expect.poll(() => focused(panel)).toMatch(/Reproducing the rounding error/);
  await send({ type: 'transcript.moved', move: 'previousChapter' });
  await expect.poll(() => focused(panel)).toMatch(/Reading the invoice code/);
  await page.getByRole('log').focus();
  await send({ type: 'transcript.moved', move: 'nextCard' }, { type: 'transcript.moved', move: 'nextCard' });
  await expect.poll(() => focused(panel)).toBe('Read 2 files, searched once');
  await send({ type: 'transcript.moved', move: 'toggleCard' });
  await page.getByText('Search for Math.round').waitFor();
  await send({ type: 'transcript.moved', move: 'previousCard' });
  await expect.poll(() => focused(panel)).toBe('Thought: Deciding where to round');
});

test('a command decides about what asks while the user is in the composer', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(asking) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await send({ type: 'transcript.moved', move: 'accept' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('a command decides about the change that has the focus in the list', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(reviewing) });
  await page.getByRole('region', { name: 'Changes to review' }).getByRole('button').first().click();
  await page.getByRole('group', { name: 'Changed files' }).focus();
  await send({ type: 'transcript.moved', move: 'nextCard' });
  await send({ type: 'transcript.moved', move: 'reject' });
  expect((await intention('review.reject')).place).toMatchObject({ path: invoice.path });
});

test('a link from elsewhere opens a folded chapter with the focus on it, also from another page of the panel', async ({
  open,
}) => {
  const panel = await open({ state: fold(running) });
  const { page, send } = panel;
  const heading = page.getByRole('button', { name: /Reading the invoice code/ });
  await heading.waitFor();
  const chapter = newestChapter({
    chapters: fold(running).chapters.filter(({ title }) => /Reading/.test(title)),
  });
  await send({ type: 'view.shown', view: 'permissions' });
  await heading.waitFor({ state: 'detached' });
  await send({ type: 'place.shown', place: { kind: 'chapter', id: chapter.id } });
  await expect.poll(() => focused(panel)).toMatch(/Reading the invoice code/);
  expect(await heading.getAttribute('aria-expanded')).toBe('true');
});

test('the button that opens the history closes it again', async ({ open }) => {
  const { page, send } = await open({ state: fold(running) });
  const heading = page.getByRole('heading', { name: 'History' });
  await send({ type: 'view.shown', view: 'history' });
  await heading.waitFor();
  await send({ type: 'view.shown', view: 'history' });
  await heading.waitFor({ state: 'detached' });
});

test('a button from elsewhere leads to the card that asks', async ({ open }) => {
  const state = fold(asking);
  const panel = await open({ state });
  const { activity } = state;
  if (activity.status !== 'waiting') throw new Error('Nothing asks.');
  await panel.send({ type: 'place.shown', place: { kind: 'call', id: activity.callId } });
  await expect
    .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('data-ask')))
    .toBe(activity.callId);
});
