import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { fold, prompt, started, step, stepEnd, text } from './journal.ts';
import { reviewing } from './reviewScenes.ts';
import { rested, running } from './scenario.ts';
import { test } from './suite.ts';

const turnEnd: SessionEventBody = { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } };

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

test('the figures of a chapter say what they sum, and none stands twice', async ({ open }) => {
  const read = async (...events: SessionEventBody[]) => {
    const { page } = await open({ state: fold(events) });
    await page.locator('.turn-end').waitFor();
    return (await page.locator('.chapter-end').allTextContents()).map(text =>
      text.replace(/( · )?\d+ s$/, ''),
    );
  };
  const chapter = (number: number): SessionEventBody => ({
    type: 'chapter.started',
    chapterId: `c${number}`,
    title: `Part ${number}`,
  });
  const one = [
    prompt('t1', 'What is it?'),
    step('s1', 1),
    stepEnd('s1', 4_000),
    text('s1', 'A shop.'),
    turnEnd,
  ];
  const more = [prompt('t2', 'And its tests?'), step('s2', 1), stepEnd('s2', 5_000)];
  const last = [step('s3', 2), stepEnd('s3', 6_000), text('s3', 'They pass.')];
  const end = { ...turnEnd, turnId: 't2' };
  const lint = [
    prompt('t3', 'Run the lint'),
    step('s4', 1),
    stepEnd('s4', 7_000),
    { ...turnEnd, turnId: 't3' },
  ];

  // Only the time is left of a single turn: its prompt shows the tokens.
  expect(await read(started, ...one)).toEqual(['']);
  expect(await read(started, ...one, ...more, ...last, end)).toEqual([
    expect.stringMatching(/^All prompts: 17k tokens · .* price unknown$/),
  ]);
  expect(await read(started, ...one, ...more, chapter(1), ...last, end)).toEqual([
    'Opening: ',
    'Chapter 1: ',
  ]);
  expect(await read(started, ...more, chapter(1), ...last, end, ...lint)).toEqual([
    expect.stringMatching(/^Chapter 1: 20k tokens/),
  ]);
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
