import { expect } from 'vitest';
import { oneWaits, queued, stoppedTurn, waiting } from './controlScenes.ts';
import { fold, journal, prompt, started } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { rested, running } from './scenario.ts';
import { test } from './suite.ts';

const list = { name: 'Waiting prompts' };

const rowTexts = ({ page }: PanelPage) => page.locator('.queue-text').allTextContents();

const activeText = ({ page }: PanelPage) =>
  page.evaluate(
    () => document.activeElement?.closest('.queue-row')?.textContent ?? document.activeElement?.tagName,
  );

test('nothing is shown while nothing waits', async ({ open }) => {
  const { page } = await open({ state: fold(running) });
  expect(await page.getByRole('region', list).count()).toBe(0);
});

test('waiting prompts stand in their order with when they are read', async ({ open }) => {
  const panel = await open({ state: fold(waiting) });
  expect(await rowTexts(panel)).toEqual([
    'Mind that the rate may be zero',
    expect.stringContaining('Then write a test'),
    '1 attachment',
  ]);
  expect(await panel.page.locator('.queue .badge').allTextContents()).toEqual([
    'after this step',
    'queued',
    'queued',
  ]);
  const heights = await panel.page
    .locator('.queue-text')
    .evaluateAll(all => all.map(each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)));
  for (const lines of heights) expect(Math.floor(lines)).toBeLessThanOrEqual(2);
});

test('a prompt is changed in place: Alt+Enter breaks the line, Enter saves and the row has the focus', async ({
  open,
}) => {
  const panel = await open({ state: fold(waiting) });
  const { page, intention, play } = panel;
  await page.getByRole('button', { name: 'Mind that the rate may be zero, change', exact: true }).focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: 'Waiting prompt' });
  expect(await box.inputValue()).toBe('Mind that the rate may be zero');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.type('or missing');
  await page.keyboard.press('Enter');
  const { prompt: changed } = await intention('queue.change');
  expect(changed).toEqual({
    id: 'q1',
    attachments: [],
    when: 'steer',
    text: 'Mind that the rate may be zero\nor missing',
  });
  await play(journal([{ type: 'prompt.changed', prompt: changed }], waiting.length));
  await expect.poll(async () => (await rowTexts(panel))[0]).toBe(changed.text);
  expect(await activeText(panel)).toContain('or missing');
});

test('Escape leaves a prompt as it was and does not stop the work', async ({ open }) => {
  const panel = await open({ state: fold(waiting) });
  const { page, intentions } = panel;
  await page.locator('.queue-text').nth(1).click();
  await page.keyboard.type(' and so on');
  await page.keyboard.press('Escape');
  expect((await rowTexts(panel))[1]).toMatch(/until they pass$/);
  expect(await activeText(panel)).toContain('Then write a test');
  const types = (await intentions()).map(each => each.type);
  expect(types).not.toContain('queue.change');
  expect(types).not.toContain('turn.stop');
});

test('what was typed into a prompt that went out meanwhile stands in the composer', async ({ open }) => {
  const { page, play } = await open({ state: fold(waiting) });
  await page.locator('.queue-text').first().click();
  await page.keyboard.type(' or missing');
  await play(journal([{ type: 'prompt.unqueued', id: 'q1', because: 'steered' }], waiting.length));
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await expect.poll(() => box.inputValue()).toBe('Mind that the rate may be zero or missing');
  await page.getByText('The original prompt was already sent.', { exact: false }).waitFor();
  await expect.poll(() => box.evaluate(each => each === document.activeElement)).toBe(true);
});

test('the badge changes when a prompt is read', async ({ open }) => {
  const { page, intention } = await open({ state: fold(waiting) });
  await page.getByRole('button', { name: 'after this step, change to queued' }).click();
  expect((await intention('queue.change')).prompt).toMatchObject({ id: 'q1', when: 'next' });
});

test('arrows walk the list, Delete removes, and the focus goes to the next row, at last to the composer', async ({
  open,
}) => {
  const panel = await open({ state: fold(waiting) });
  const { page, intention, play } = panel;
  let seq = waiting.length;
  const remove = async () => {
    await page.keyboard.press('Delete');
    const { id } = await intention('queue.remove');
    await play(journal([{ type: 'prompt.unqueued', id, because: 'removed' }], seq++));
    await expect.poll(() => page.locator(`[data-queued=${id}]`).count()).toBe(0);
    return id;
  };
  await page.locator('.queue-text').first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await remove()).toBe('q2');
  expect(await activeText(panel)).toContain('1 attachment');
  expect(await remove()).toBe('q3');
  expect(await activeText(panel)).toContain('Mind that');
  expect(await remove()).toBe('q1');
  await expect.poll(() => activeText(panel)).toBe('TEXTAREA');
});

test('removing and sending at once are buttons with names of their own', async ({ open }) => {
  const { page, intention } = await open({ state: fold(waiting) });
  await page.getByRole('button', { name: /^Stop and send now: Then write a test/ }).click();
  expect((await intention('queue.sendNow')).id).toBe('q2');
  await page.getByRole('button', { name: 'Remove: 1 attachment' }).click();
  expect((await intention('queue.remove')).id).toBe('q3');
});

test('how many wait is said politely, and takes the focus from nobody', async ({ open }) => {
  const { page, play } = await open({ state: fold(running) });
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await box.focus();
  await play(journal([queued('q1', 'one'), queued('q2', 'two')], running.length));
  await page.getByRole('status').filter({ hasText: '2 prompts wait' }).waitFor({ state: 'attached' });
  await play(
    journal(
      [
        { type: 'prompt.unqueued', id: 'q1', because: 'removed' },
        { type: 'prompt.unqueued', id: 'q2', because: 'steered' },
      ],
      running.length + 2,
    ),
  );
  await page.getByRole('status').filter({ hasText: 'No prompt waits' }).waitFor({ state: 'attached' });
  expect(await box.evaluate(each => each === document.activeElement)).toBe(true);
});

test('after a stop, what waits is offered to be sent or removed', async ({ open }) => {
  const { page, intention } = await open({ state: fold(oneWaits) });
  const waits = page.getByRole('region', list);
  await waits.getByText('1 prompt waits').waitFor();
  expect(await waits.locator('.badge').count()).toBe(0);
  await waits.getByRole('button', { name: 'Remove', exact: true }).click();
  expect((await intention('queue.remove')).id).toBe('q1');
  await waits.getByRole('button', { name: 'Send', exact: true }).click();
  expect((await intention('queue.sendNow')).id).toBe('q1');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('of several that wait after a stop, the first is sent or all are removed', async ({ open }) => {
  const { page, intention, intentions } = await open({ state: fold([...waiting, stoppedTurn]) });
  await page.getByText('3 prompts wait', { exact: true }).last().waitFor();
  await page.getByRole('button', { name: 'Send first' }).click();
  expect((await intention('queue.sendNow')).id).toBe('q1');
  await page.getByRole('button', { name: 'Remove all' }).click();
  const removed = (await intentions()).flatMap(each => (each.type === 'queue.remove' ? [each.id] : []));
  expect(removed).toEqual(['q1', 'q2', 'q3']);
});

test('a prompt that was told to the model stands in the transcript and cannot be gone back to', async ({
  open,
}) => {
  const { page, play } = await open({ state: fold(waiting) });
  await play(journal([{ type: 'prompt.unqueued', id: 'q1', because: 'steered' }], waiting.length));
  const reported = page.locator('.prompt', { hasText: 'Mind that the rate may be zero' });
  await reported.waitFor();
  expect(await reported.getByRole('button').count()).toBe(0);
});

const todo = (
  description: string,
  status: 'completed' | 'in_progress' | 'pending' | 'blocked' | 'cancelled',
) => ({
  description,
  status,
});

test('the to-dos say how far the work is, and a list that is done goes with the next prompt', async ({
  open,
}) => {
  const { page, play } = await open({ state: fold(rested), width: 300 });
  const long =
    'Round the sum of the net amounts instead of each line, in every place where invoices are added up';
  const todos = [todo('Reproduce it', 'completed'), todo(long, 'in_progress'), todo('Ask Ann', 'blocked')];
  await play(journal([{ type: 'todos.changed', todos }], rested.length));
  const strip = page.getByRole('button', { name: '1 of 3 to-dos' });
  expect(await strip.textContent()).toContain(long);
  await strip.focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('.todo').allTextContents()).toEqual([
    'Reproduce it, done',
    `${long}, in progress`,
    'Ask Ann, blocked',
  ]);
  expect(await page.locator('.todos').evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
  const finished = [todo('Reproduce it', 'completed'), todo('Ask Ann', 'cancelled')];
  await play(journal([{ type: 'todos.changed', todos: finished }], rested.length + 1));
  await page.getByText('All 2 to-dos done').waitFor();
  await play(journal([{ type: 'todos.changed', todos: [] }, prompt('t2', 'And now?')], rested.length + 2));
  await expect.poll(() => page.getByText('to-dos').count()).toBe(0);
});

test('a prompt that waits for a free place says how many are before it, and can be started now', async ({
  open,
}) => {
  const prompt = { id: 'q1', text: 'Then this', attachments: [], when: 'next', ahead: 2 } as const;
  const panel = await open({ state: fold([started, { type: 'prompt.queued', prompt }]) });
  await panel.page.getByText('Waiting for a free slot, 2 ahead').waitFor();
  await panel.page.getByRole('button', { name: 'Start Now' }).click();
  expect(await panel.intention('queue.sendNow')).toMatchObject({ id: 'q1' });
});
