/* The tab in which the user has the page of the agent's browser: what it sends, and how keys leave it. */

import { expect } from 'vitest';
import { fromPageTabSchema } from '../../src/extension/vscode/features/browser/fromPageTabSchema.ts';
import type { FromPageTab, PageFrame, PageInput } from '../../src/protocol/panel/pageTab.ts';
import { fallSilent, type PanelPage } from './panelPage.ts';
import { pictureOf } from './scenes/pageTab.ts';
import { test } from './suite.ts';

async function sent({ intentions }: PanelPage): Promise<readonly FromPageTab[]> {
  return (await intentions()) as readonly unknown[] as readonly FromPageTab[];
}

async function inputs(tab: PanelPage): Promise<readonly PageInput[]> {
  return (await sent(tab)).flatMap(each => (each.type === 'input' ? [each.input] : []));
}

async function drawn(tab: PanelPage): Promise<number> {
  return (await sent(tab)).filter(({ type }) => type === 'drawn').length;
}

/** 640 pixels wide, so the page stands at half its size. */
async function openTab(open: (options: { shows: 'page'; width: number }) => Promise<PanelPage>) {
  const tab = await open({ shows: 'page', width: 640 });
  const frame: PageFrame = await pictureOf(tab, 'Sign in to order');
  const show = () => tab.send({ type: 'frame', ...frame });
  await show();
  await tab.page.getByRole('img', { name: 'The page' }).waitFor();
  return { tab, show, keys: tab.page.getByRole('textbox', { name: 'The page. ' }) };
}

test('each picture is reported as drawn, also one like the last', async ({ open }) => {
  const { tab, show } = await openTab(open);
  await expect.poll(() => drawn(tab)).toBe(1);
  await show();
  await expect.poll(() => drawn(tab)).toBe(2);
  expect(await tab.problems()).toEqual([]);
});

test('keys go to the page from the start, F6 leads to the button and back, and the button gives the page back', async ({
  open,
}) => {
  const { tab } = await openTab(open);
  const { page } = tab;
  await page.getByText('Press F6 to leave the page.').waitFor();
  await page.keyboard.type('a');
  await page.keyboard.press('Tab');
  const pressed = async () =>
    (await inputs(tab)).flatMap(each => (each.kind === 'key' && each.type === 'keyDown' ? [each.key] : []));
  await expect.poll(pressed).toEqual(['a', 'Tab']);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await page.keyboard.press('F6');
  expect(await focused()).toBe('BUTTON');
  await page.keyboard.press('F6');
  expect(await focused()).toBe('TEXTAREA');
  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  expect((await sent(tab)).at(-1)).toEqual({ type: 'giveBack' });
  expect(await pressed()).toEqual(['a', 'Tab']);
});

test('a drag moves with its button down, and ends in the page where the button is let go beside it', async ({
  open,
}) => {
  const { tab, keys } = await openTab(open);
  const { mouse } = tab.page;
  const { x, y } = (await keys.boundingBox())!;
  await mouse.move(x + 320, y + 200);
  await mouse.down();
  await mouse.move(x + 330, y + 200);
  await mouse.move(x + 330, y - 10);
  await mouse.up();
  const places = (await inputs(tab)).flatMap(each =>
    each.kind === 'mouse' ? [[each.type, each.button, each.buttons, each.x, each.y]] : [],
  );
  expect(places.slice(places.findIndex(([type]) => type === 'mousePressed'))).toEqual([
    ['mousePressed', 'left', 1, 0.5, expect.closeTo(0.5, 1)],
    ...places.filter(([type, button]) => type === 'mouseMoved' && button === 'left'),
    ['mouseReleased', 'left', 0, expect.closeTo(330 / 640), 0],
  ]);
  // The last move comes before the end, at its place.
  expect(places.at(-2)).toEqual(['mouseMoved', 'left', 1, expect.closeTo(330 / 640), 0]);
});

test('a long text is pasted whole, in pieces that the host takes', async ({ open }) => {
  const { tab, keys } = await openTab(open);
  const long = `${'a'.repeat(99_999)}😀${'b'.repeat(60_000)}`;
  await keys.evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, long);
  const sentInputs = (await sent(tab)).filter(({ type }) => type === 'input');
  expect(sentInputs.map(each => fromPageTabSchema.safeParse(each).success)).not.toContain(false);
  const texts = (await inputs(tab)).flatMap(each => (each.kind === 'text' ? [each.text] : []));
  expect(texts.join('') === long).toBe(true);
  // No character is cut in two.
  expect(texts.some(text => /\p{Surrogate}/u.test(text))).toBe(false);
});

test('a press beside the page reaches nothing in it', async ({ open }) => {
  const { tab, keys } = await openTab(open);
  const { height } = (await keys.boundingBox())!;
  await keys.click({ position: { x: 320, y: height - 10 } });
  expect(await inputs(tab)).toEqual([]);
});

test('a page that is lost leaves a tab that says so, and that a key closes', async ({ open }) => {
  const { tab, keys } = await openTab(open);
  await tab.send({ type: 'lost', lost: 'browser' });
  await tab.page.getByText('The browser of the agent has ended').waitFor();
  expect(await keys.count()).toBe(0);
  await tab.page.getByRole('button', { name: 'Close' }).press('Enter');
  expect((await sent(tab)).at(-1)).toEqual({ type: 'giveBack' });
});

test('a host that answers no more is reported, and one that answers again is used again', async ({
  open,
}) => {
  const { tab, show } = await openTab(open);
  const silent = tab.page.getByText('Folio does not respond');
  await fallSilent(tab.page);
  await silent.waitFor();
  expect(await tab.page.getByRole('button').count()).toBe(0);
  await show();
  await tab.page.getByText('You are using the page').waitFor();
  expect(await silent.count()).toBe(0);
});
