import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readPictureFacts } from '../../src/extension/models/media/readPictureFacts.ts';
import type { Blob } from '../../src/protocol/events.ts';
import { png } from '../support/pictures.ts';
import { record } from '../support/recording.ts';
import { fold, started } from './journal.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function choose(page: Page, file: ChosenFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add context' }).click();
  await page.getByRole('menuitem', { name: 'Picture, recording or PDF…' }).click();
  await (await chooser).setFiles(file);
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Ask Folio' });

/** Sends them, and gives what the host gets. */
async function sendAttached(
  page: Page,
  intention: (type: 'prompt.send') => Promise<{ attachments: unknown }>,
) {
  await field(page).fill('Look');
  await field(page).press('Enter');
  const { attachments } = await intention('prompt.send');
  return attachments as readonly { readonly name: string; readonly blob: Blob }[];
}

function sizeOf({ mimeType, data }: Blob) {
  return readPictureFacts(Buffer.from(data, 'base64'), mimeType);
}

const shot = { name: 'shot.png', mimeType: 'image/png', buffer: png({ width: 400, height: 200 }) };

test('a picture is looked at, cropped by dragging and made smaller before it goes out', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  await choose(page, shot);
  await page.getByRole('button', { name: 'shot.png', exact: true }).click();
  const look = page.getByRole('dialog', { name: 'shot.png' });
  await look.getByText('400 × 200 pixels, 1 KB').waitFor();
  const box = (await look.getByRole('img').boundingBox())!;
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(0.25, 0.25));
  await page.mouse.down();
  await page.mouse.move(...at(0.75, 0.75));
  await page.mouse.up();
  await look.getByText('200 × 100 pixels').waitFor();
  await look.getByRole('button', { name: 'Crop', exact: true }).click();
  await look.getByRole('button', { name: 'Undo All' }).waitFor();
  await look.getByRole('button', { name: 'Half Size' }).click();
  await look.getByText('100 × 50 pixels').waitFor();
  await look.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => field(page).evaluate(element => element === document.activeElement)).toBe(true);
  const [sent] = await sendAttached(page, intention);
  expect(sizeOf(sent!.blob)).toMatchObject({ mimeType: 'image/png', width: 100, height: 50 });
});

test('keys crop it, Escape leaves the part and then the look, and the whole comes back', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  await choose(page, shot);
  const chip = page.getByRole('button', { name: 'shot.png', exact: true });
  await chip.focus();
  await page.keyboard.press('Enter');
  const look = page.getByRole('dialog', { name: 'shot.png' });
  const part = look.getByRole('group');
  const pick = async () => {
    await look.getByRole('button', { name: 'Crop…' }).press('Enter');
    await expect.poll(() => part.evaluate(element => element === document.activeElement)).toBe(true);
  };
  await pick();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await look.getByText('320 × 156 pixels').waitFor();
  await page.keyboard.press('Escape');
  await look.getByText('400 × 200 pixels').waitFor();
  await pick();
  await page.keyboard.press('Enter');
  await look.getByText('320 × 160 pixels').waitFor();
  await look.getByRole('button', { name: 'Undo All' }).press('Enter');
  await look.getByText('400 × 200 pixels').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => look.count()).toBe(0);
  const [sent] = await sendAttached(page, intention);
  expect(sent!.blob.data).toBe(shot.buffer.toString('base64'));
});

test('a picture is removed while it is looked at, and the one after it is not shown in its place', async ({
  open,
}) => {
  const { page } = await open({ state: fold(rested) });
  await choose(page, shot);
  await choose(page, { ...shot, name: 'other.png', buffer: png({ width: 9, height: 9 }) });
  await page.getByRole('button', { name: 'shot.png', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(() => page.locator('.composer .chip-picture').count()).toBe(1);
  await page.getByRole('button', { name: 'other.png', exact: true }).waitFor();
  expect(await field(page).evaluate(element => element === document.activeElement)).toBe(true);
});

test('types that models do not take become PNG, and what is too large smaller', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script></svg>';
  await choose(page, { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await page.getByRole('button', { name: 'a.svg', exact: true }).waitFor();
  const huge = png({ width: 8000, height: 40, bytes: 15 * 1024 * 1024 });
  await choose(page, { name: 'huge.png', mimeType: 'image/png', buffer: huge });
  await page.getByText('huge.png was made smaller: 4000 × 20 pixels.').waitFor();
  const sent = await sendAttached(page, intention);
  expect(sent.map(({ blob }) => sizeOf(blob))).toMatchObject([
    { mimeType: 'image/png', width: 20, height: 10 },
    { mimeType: 'image/png', width: 4000, height: 20 },
  ]);
});

test('a PDF goes along as it is', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  const buffer = Buffer.from('%PDF-1.7\n');
  await choose(page, { name: 'spec.pdf', mimeType: 'application/pdf', buffer });
  await page.locator('.composer .chip').getByText('spec.pdf').waitFor();
  const sent = await sendAttached(page, intention);
  expect(sent).toEqual([
    {
      kind: 'image',
      name: 'spec.pdf',
      blob: { mimeType: 'application/pdf', data: buffer.toString('base64') },
    },
  ]);
});

test('of a recording the model gets frames from the first to the last', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  await choose(page, { name: 'run.webm', mimeType: 'video/webm', buffer: await record(page) });
  await page.getByText(/The model gets \d pictures of run\.webm\./).waitFor();
  const sent = await sendAttached(page, intention);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  expect(sent.length).toBeLessThanOrEqual(8);
  expect(sent[0]!.name).toBe('run.webm 0:00.0');
  for (const { blob } of sent)
    expect(sizeOf(blob)).toMatchObject({ mimeType: 'image/jpeg', width: 320, height: 240 });
  const colours = await Promise.all([sent[0]!, sent.at(-1)!].map(({ blob }) => colourOf(page, blob)));
  expect(colours).toEqual(['red', 'blue']);
});

test('a file that no browser plays is refused with a sentence', async ({ open }) => {
  const { page } = await open({ state: fold(rested) });
  await choose(page, { name: 'run.mp4', mimeType: 'video/mp4', buffer: Buffer.from('nothing') });
  await page.getByText('run.mp4 was not attached. It cannot be played here').waitFor();
});

/** The colour of the middle of a picture. */
function colourOf(page: Page, { mimeType, data }: Blob): Promise<string> {
  return page.evaluate(async address => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0, 1, 1);
    const [red = 0, , blue = 0] = pen.getImageData(0, 0, 1, 1).data;
    return red > blue ? 'red' : 'blue';
  }, `data:${mimeType};base64,${data}`);
}

test('a sent prompt shows the selected lines that went along, once, and opens them', async ({ open }) => {
  const lines = { startLine: 12, endLine: 14 };
  const selected = (path: string) =>
    ({ text: path, kind: 'file', outcome: 'read', detail: 'Selected in the editor', path, lines }) as const;
  const attachments = [{ kind: 'selection', path: 'src/a.ts', ...lines, text: 'x' }] as const;
  const events = [
    started,
    { type: 'turn.started', turnId: 't1', text: 'One', attachments: [] },
    { type: 'mentions.read', turnId: 't1', mentions: [selected('src/notes.md')] },
    { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
    { type: 'turn.started', turnId: 't2', text: 'Two', attachments },
    { type: 'mentions.read', turnId: 't2', mentions: [selected('src/a.ts')] },
  ] as const;
  const { page, intention } = await open({ state: fold(events), width: 280 });
  const chips = page.locator('.prompt .chip');
  await expect
    .poll(() => chips.allTextContents())
    .toEqual(['notes.md:12–14, Selected in the editor', 'a.ts:12–14']);
  await chips.first().getByRole('button').click();
  expect(await intention('file.open')).toEqual({ type: 'file.open', path: 'src/notes.md', line: 12 });
});
