import { expect } from 'vitest';
import { browsed, pageAddress } from './browserScenes.ts';
import { fold, request } from './journal.ts';
import { test } from './suite.ts';

test('the picture of a page is asked for when it is seen, and opens large with a click or a key', async ({
  open,
}) => {
  const { page, send, intentions } = await open({ state: fold(browsed) });
  const sent = async (type: 'panel.picture' | 'picture.open') =>
    (await intentions()).flatMap(each => (each.type === type && 'callId' in each ? [each.callId] : []));
  const buttons = page.locator('.call-picture');
  await expect.poll(() => buttons.count()).toBe(3);
  await expect.poll(async () => (await sent('panel.picture')).toSorted()).toEqual(['do', 'open', 'small']);
  await send({ type: 'picture.told', callId: 'open', address: pageAddress });
  const picture = page.getByRole('img', { name: 'The page after: Open http://localhost:3000/orders/new' });
  await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(1280);
  await picture.click();
  await buttons.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => sent('picture.open')).toEqual(['open', 'do']);
});

test('the page of the newest picture is taken over from its card, and given back from the call that waits', async ({
  open,
}) => {
  const waiting = [
    ...browsed.slice(0, -2),
    request({ id: 'click', tool: 'browser_do', title: 'Take 2 steps on the page', effect: 'run' }),
    { type: 'call.started', callId: 'click' },
    { type: 'call.waited', callId: 'click', waits: true },
  ] as const;
  const { page, send, intentions } = await open({ state: fold(waiting) });
  const pressed = async () =>
    (await intentions()).map(({ type }) => type).filter(type => type.startsWith('page.'));
  const takeOver = page.getByRole('button', { name: 'Take over the page after:' });
  // As after a reload.
  await send({ type: 'picture.told', callId: 'small', address: pageAddress });
  await page.getByRole('img', { name: 'The page after: Open http://localhost:3000/', exact: true }).waitFor();
  expect(await takeOver.count()).toBe(0);
  await send({ type: 'picture.told', callId: 'small', address: pageAddress, isOpen: true });
  await expect.poll(() => takeOver.count()).toBe(1);
  await takeOver.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByRole('button', { name: 'Give Back' }).click();
  await expect.poll(pressed).toEqual(['page.takeOver', 'page.giveBack']);
});

test('a folded chapter shows the pictures of its pages in a row, which keys open', async ({ open }) => {
  const chapter = {
    type: 'chapter.started',
    chapterId: 'c1',
    title: 'Check the form',
  } as const;
  const events = [...browsed.slice(0, 3), chapter, ...browsed.slice(3)];
  const memory = { sessionId: 'session-1', folds: { c1: true } };
  const { page, intentions } = await open({ state: fold(events), memory });
  const strip = page.getByRole('list', { name: 'Pictures of pages' });
  await expect.poll(() => strip.getByRole('button').count()).toBe(3);
  await expect.poll(() => page.locator('.call-picture').count()).toBe(3);
  await strip.getByRole('button').first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await intentions()).filter(({ type }) => type === 'picture.open'))
    .toEqual([{ type: 'picture.open', callId: 'do' }]);
});

test('a picture that is gone says so and opens nothing', async ({ open }) => {
  const { page, send } = await open({ state: fold(browsed) });
  await send({ type: 'picture.told', callId: 'small' });
  const gone = page.getByRole('button', { name: 'The picture is no longer there.' });
  await gone.waitFor();
  expect(await gone.isDisabled()).toBe(true);
});
