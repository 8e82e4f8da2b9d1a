import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { fold } from './journal.ts';
import { reviewing, twoTurns } from './reviewScenes.ts';
import { rested, running } from './scenario.ts';
import { test } from './suite.ts';

test('the end of a turn has its files, Undo, the answer to copy and the prompt to resend', async ({
  open,
}) => {
  const changed = await open({ state: fold(reviewing) });
  const end = changed.page.locator('.turn-end');
  await end.getByText('1 file +2').waitFor();
  await end.getByRole('button', { name: 'Undo changes' }).click();
  const to = { kind: 'turn', turnId: 't1' };
  expect(await changed.intention('rewind.do')).toMatchObject({ to, scope: 'files' });
  await end.getByRole('button', { name: 'Edit and resend' }).click();
  expect((await changed.intention('rewind.preview')).to).toEqual(to);

  const answered = await open({ state: fold(rested) });
  await answered.page.locator('.turn-end').getByRole('button', { name: 'Copy the answer' }).click();
  expect((await answered.intention('text.copy')).text).toMatch(/^It adds up the lines/);
});

test('the sum of several prompts is called one, that of a single prompt is not', async ({ open }) => {
  const facts = async (state: Parameters<typeof fold>[0]) => {
    const { page } = await open({ state: fold(state) });
    return await page.locator('.chapter-end-facts').last().textContent();
  };
  expect(await facts(twoTurns)).toMatch(/^In all: 1 file/);
  expect(await facts(reviewing)).not.toContain('In all');
  // A chapter that began within the turn of a prompt before it has the work of that one, too.
  const chapter: SessionEventBody = { type: 'chapter.started', chapterId: 'c1', title: 'Rounding' };
  expect(await facts([...twoTurns.slice(0, 3), chapter, ...twoTurns.slice(3)])).toMatch(/^In all: 1 file/);
});

test('a turn that continues has no end', async ({ open }) => {
  const { page } = await open({ state: fold(running) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
  expect(await page.locator('.turn-end').count()).toBe(0);
});

test('context is added by a menu, with the cursor behind what it wrote', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  const field = page.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill('Fix');
  await page.getByRole('button', { name: 'Add context' }).click();
  await page.getByRole('menuitem', { name: 'Problems' }).click();
  await expect.poll(() => field.inputValue()).toBe('Fix @problems ');
  await page.getByRole('button', { name: 'Add context' }).click();
  await page.getByRole('menuitem', { name: /File or folder/ }).click();
  await expect.poll(() => field.inputValue()).toBe('Fix @problems @');
  expect(await intention('completion.ask')).toMatchObject({ trigger: '@', query: '' });
  expect(await field.evaluate(element => element === document.activeElement)).toBe(true);
});

test('pictures are chosen from the disk', async ({ open }) => {
  const { page } = await open({ state: fold(rested) });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add context' }).click();
  await page.getByRole('menuitem', { name: 'Picture, recording or PDF…' }).click();
  await (await chooser).setFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.from([0x89, 0x50]),
  });
  await page.getByText('a.png').waitFor();
});

test('the rehearsal is called one, and offers what it plays', async ({ open }) => {
  const { page } = await open({ environment: { connection: 'rehearsal' } });
  await page.locator('.composer-bar').getByText('Rehearsal', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'The invoice test fails. Find out why and fix it.' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Model' }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Effort' }).count()).toBe(0);
});
