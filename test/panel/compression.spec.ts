import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import {
  breakdown,
  compressed,
  compressedTwice,
  compressing,
  compressionId,
  manyChapters,
  manyParts,
  paused,
  plan,
  proposed,
  rested,
  tooLarge,
  undone,
} from './compressionScenes.ts';
import { fold, journal } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { running } from './scenario.ts';
import { test } from './suite.ts';

const meter = ({ page }: PanelPage) => page.getByRole('button', { name: /Show the breakdown/ });
const popup = ({ page }: PanelPage) => page.getByRole('dialog', { name: 'Tokens' });
const card = ({ page }: PanelPage) => page.getByRole('region', { name: /^Compress 84,000/ });
const news = ({ page }: PanelPage) => page.locator('[data-announcer=quiet]');
const rowsOf = (panel: PanelPage) => popup(panel).getByRole('listitem').allTextContents();
const types = async (panel: PanelPage) => (await panel.intentions()).map(each => each.type);

async function openMeter(panel: PanelPage): Promise<void> {
  await meter(panel).focus();
  await panel.page.keyboard.press('Enter');
  await panel.intention('context.describe');
}

async function play(panel: PanelPage, after: readonly SessionEventBody[], ...more: SessionEventBody[]) {
  await panel.play(journal(more, after.length));
}

const focused = ({ page }: PanelPage) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);

test('the breakdown waits quietly for its parts, then names each with tokens and share', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  await openMeter(panel);
  await popup(panel).getByText('Counting the parts…').waitFor();
  await panel.send({ type: 'context.described', breakdown });
  await popup(panel).getByText('84,000 of 200,000 tokens').waitFor();
  expect(await popup(panel).getByText('Counting the parts…').count()).toBe(0);
  expect(await rowsOf(panel)).toEqual([
    'System instructions4.1k tokens, 2.1%',
    'Tools5.3k tokens, 2.6%',
    'Memory files2.4k tokens, 1.2%',
    'Attached files6.2k tokens, 3.1%',
    '3 Fixing the rounding in src/invoice.ts12k tokens, 5.9%',
    '2 Reproducing the rounding error26k tokens, 13%',
    '1 Reading the invoice code28k tokens, 14%',
    'Free116k tokens, 58%',
  ]);
  const words = await popup(panel).textContent();
  expect(words).toContain('Total from the provider');
  expect(words).toContain('Auto-compresses at 50% (100k).');
  expect(await popup(panel).locator('.context-threshold').getAttribute('style')).toContain('50%');
});

test('names of chapters are whole before their figures, in the breakdown and in the card', async ({
  open,
}) => {
  const panel = await open({ state: fold(proposed), width: 280 });
  await openMeter(panel);
  await panel.send({ type: 'context.described', breakdown });
  await popup(panel).getByText('3 Fixing the rounding in src/invoice.ts').waitFor();
  const cut = await panel.page
    .locator('.parts th, .context-row > *')
    .evaluateAll(all =>
      all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent),
    );
  expect(cut).toEqual([]);
});

test('in the longest language no column of a proposal is cut', async ({ open }) => {
  const { page } = await open({ state: fold(proposed), width: 292, language: 'de' });
  await page.locator('.parts').waitFor();
  const cut = await page
    .locator('.parts, .parts th')
    .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length);
  expect(cut).toBe(0);
});

test('many chapters are joined but for the newest and the largest, and estimates are called so', async ({
  open,
}) => {
  const panel = await open({ state: fold(manyChapters) });
  await openMeter(panel);
  await panel.send({ type: 'context.described', breakdown: manyParts });
  await popup(panel).getByText('8 earlier chapters').waitFor();
  const chapters = (await rowsOf(panel)).filter(row => /^\d/.test(row));
  expect(chapters.map(row => Number.parseInt(row, 10))).toEqual([17, 16, 15, 14, 13, 6, 3, 8]);
  expect(await popup(panel).textContent()).toContain('Summary3k tokens');
  expect(await popup(panel).textContent()).toContain('All numbers are estimated.');
});

test('an open breakdown asks again when the context changes and keeps what it shows meanwhile', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  await openMeter(panel);
  await panel.send({ type: 'context.described', breakdown });
  await popup(panel).getByText('84,000 of 200,000 tokens').waitFor();
  const asked = async () => (await types(panel)).filter(type => type === 'context.describe').length;
  expect(await asked()).toBe(1);
  await play(panel, rested, { type: 'compression.applied', compressionId, trigger: 'automatic', plan });
  await expect.poll(asked).toBe(2);
  expect(await popup(panel).getByText('84,000 of 200,000 tokens').count()).toBe(1);
  await panel.send({ type: 'context.described', breakdown: { ...breakdown, used: 21_000, parts: [] } });
  await popup(panel).getByText('21,000 of 200,000 tokens').waitFor();
});

test('Escape closes the breakdown, stops nothing and gives the focus back to the meter', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  await openMeter(panel);
  await panel.page.keyboard.press('Escape');
  await expect.poll(() => popup(panel).count()).toBe(0);
  expect(await focused(panel)).toMatch(/^Context: .*Show the breakdown$/);
  expect(await types(panel)).not.toContain('turn.stop');
});

test('the breakdown closes when the focus or the pointer goes elsewhere', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  await openMeter(panel);
  await panel.page.keyboard.press('Shift+Tab');
  expect(await popup(panel).count()).toBe(1);
  await panel.page.keyboard.press('Shift+Tab');
  await expect.poll(() => popup(panel).count()).toBe(0);
  await openMeter(panel);
  await panel.page.mouse.click(20, 20);
  await expect.poll(() => popup(panel).count()).toBe(0);
});

test('from the breakdown the last request is shown and a compression begun, by key', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  await openMeter(panel);
  await panel.page.keyboard.press('Tab');
  await panel.page.keyboard.press('Enter');
  await panel.intention('context.compress');
  await expect.poll(() => popup(panel).count()).toBe(0);
  await openMeter(panel);
  await popup(panel).getByText('Show what was sent').click();
  await panel.intention('request.show');
  await expect.poll(() => popup(panel).count()).toBe(0);
});

test('the cost of the session is said where it is known, else that limits in dollars do not count', async ({
  open,
}) => {
  const usage = { prompt: 1_000, cached: 0, output: 10, thoughts: 0 };
  const panel = await open({ state: { ...fold(rested), usage } });
  await openMeter(panel);
  await popup(panel).getByText('price unknown').waitFor();
  const uncounted = popup(panel).getByText('Dollar limits do not apply');
  expect(await uncounted.count()).toBe(1);
  await panel.show({ ...fold(rested), usage, cost: 0.124 });
  await popup(panel).getByText('$0.12').waitFor();
  expect(await uncounted.count()).toBe(0);
});

test('while a compression is open no other can be begun, and the reason is said', async ({ open }) => {
  for (const [state, reason] of [
    [compressing, 'A summary is being made already.'],
    [proposed, 'A summary is waiting above the prompt. Apply or discard it first.'],
  ] as const) {
    const panel = await open({ state: fold(state) });
    await openMeter(panel);
    await popup(panel).getByText(reason).waitFor();
    await popup(panel).getByText('Compress…').click({ force: true });
    expect(await types(panel)).not.toContain('context.compress');
  }
});

test('paused automatic compression is said together with the way out', async ({ open }) => {
  const panel = await open({ state: fold(paused) });
  await openMeter(panel);
  await popup(panel)
    .getByText(
      'Automatic compression is paused: its last summary was too long, or you undid it. Compress manually to resume it.',
    )
    .waitFor();
  await panel.page.getByText('The summary would have been longer', { exact: false }).first().waitFor();
});

test('a failed compression is retried from its line, also by key, while it is the newest', async ({
  open,
}) => {
  const panel = await open({ state: fold(paused), width: 280 });
  const line = panel.page.getByRole('group', { name: /^The summary would have been longer/ });
  const retry = line.getByRole('button', { name: 'Retry the compression' });
  await line.focus();
  await panel.page.keyboard.press('Enter');
  await panel.intention('context.compress');
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
  await play(panel, paused, { type: 'compression.started', compressionId: 'k2', trigger: 'manual' });
  await expect.poll(() => retry.count()).toBe(0);
  const end = { kind: 'failed', message: 'The model gave no answer.' } as const;
  await panel.play(journal([{ type: 'compression.ended', compressionId: 'k2', end }], paused.length + 1));
  await panel.page
    .getByRole('group', { name: 'The model gave no answer.' })
    .getByRole('button', { name: 'Retry the compression' })
    .waitFor();
  expect(await retry.count()).toBe(0);
});

test('the warning of a failed compression goes once a later one succeeded', async ({ open }) => {
  const panel = await open({ state: fold(paused) });
  const line = panel.page.getByRole('group', { name: /^The summary would have been longer/ });
  await line.waitFor();
  await play(panel, paused, compressed.at(-1)!);
  await panel.page.getByText(/^Summarised /).waitFor();
  await expect.poll(() => line.count()).toBe(0);
});

test('a summary that is being made says for how long and can be cancelled by key', async ({ open }) => {
  const panel = await open({ state: fold(compressing) });
  const strip = panel.page.getByRole('region', { name: 'Compression' });
  await strip.getByText('Summarising the oldest part of this session…').waitFor();
  await strip.getByText(/^\s?\d+ s$/).waitFor();
  await strip.getByRole('button', { name: 'Cancel the compression' }).focus();
  await panel.page.keyboard.press('Enter');
  expect((await panel.intention('compression.discard')).compressionId).toBe(compressionId);
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
  await play(panel, compressing, { type: 'compression.ended', compressionId, end: { kind: 'discarded' } });
  await expect.poll(() => strip.count()).toBe(0);
  await expect.poll(() => news(panel).textContent()).toBe('The summary was dropped');
});

test('a turn that waits for the summary says so', async ({ open }) => {
  const started = { type: 'compression.started', compressionId, trigger: 'automatic' } as const;
  const panel = await open({ state: fold([...running, started]) });
  await panel.page.locator('.activity').getByText('Waiting for the summary').waitFor();
});

test('a proposal says per chapter what is summarised, kept and dropped, and what stays word for word', async ({
  open,
}) => {
  const panel = await open({ state: fold(proposed) });
  await card(panel).getByText('Compress 84,000 → 21,000 tokens').waitFor();
  expect(await card(panel).getByRole('columnheader').allTextContents()).toEqual([
    'Chapter',
    'Summarised',
    'Kept',
    'Dropped',
  ]);
  const cells = async (row: number) =>
    card(panel)
      .getByRole('row')
      .nth(row * 2)
      .getByRole('cell')
      .allTextContents();
  expect(await cells(1)).toEqual(['', '38k', '0', '0']);
  expect(await cells(2)).toEqual(['', '25k', '1.2k', '6.1k']);
  expect(await cells(3)).toEqual(['', '0', '11k', '0']);
  expect(await card(panel).getByRole('rowheader').first().textContent()).toBe('1 Reading the invoice code');
  await card(panel)
    .getByText('Recent messages and 2 pinned messages are kept in full.', { exact: false })
    .waitFor();
});

test('the summary is previewed as sections and nothing in it takes effect', async ({ open }) => {
  const panel = await open({ state: fold(proposed) });
  const summary = card(panel).getByRole('region', { name: 'Summary' });
  expect(await summary.locator('.snapshot-title').allTextContents()).toEqual([
    'Overall goal',
    'Active constraints',
    'Key knowledge',
    'Artifact trail',
    'Task state',
  ]);
  const knowledge = await summary.locator('.snapshot-text').nth(2).textContent();
  expect(knowledge).toContain('- Tests run with <npm test>; they take 4 seconds.\n- <img src=x onerror=');
  expect(await summary.locator('img').count()).toBe(0);
  await card(panel).getByRole('button', { name: 'Summary that replaces them' }).click();
  await expect.poll(() => summary.count()).toBe(0);
  expect(await panel.problems()).toEqual([]);
});

test('a proposal leaves the focus where it is, is announced and is decided by key', async ({ open }) => {
  const panel = await open({ state: fold(compressing) });
  await panel.page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await play(panel, compressing, { type: 'compression.proposed', compressionId, plan });
  await card(panel).waitFor();
  expect(await focused(panel)).toBe('Ask Folio');
  await expect
    .poll(() => news(panel).textContent())
    .toBe('A summary is ready: 84,000 to 21,000 tokens. Apply, edit or discard it above the prompt.');

  const press = async (name: string) => {
    for (let i = 0; i < 12; i++) {
      await panel.page.keyboard.press('Shift+Tab');
      if ((await panel.page.evaluate(() => document.activeElement?.textContent))?.startsWith(name)) break;
    }
    await panel.page.keyboard.press('Enter');
  };
  await press('Edit summary…');
  expect((await panel.intention('compression.edit')).compressionId).toBe(compressionId);
  await press('Apply');
  expect((await panel.intention('compression.apply')).compressionId).toBe(compressionId);
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
  await press('Discard');
  expect((await panel.intention('compression.discard')).compressionId).toBe(compressionId);
});

test('a proposal is applied by the key that accepts, unless words stand in the prompt', async ({ open }) => {
  const panel = await open({ state: fold(proposed) });
  await card(panel).waitFor();
  const prompt = panel.page.getByRole('textbox', { name: 'Ask Folio' });
  await prompt.fill('Not this.');
  await prompt.press('Control+Enter');
  await prompt.fill('');
  await prompt.press('Control+Enter');
  expect((await panel.intention('compression.apply')).compressionId).toBe(compressionId);
  expect((await panel.intentions()).filter(({ type }) => type === 'compression.apply')).toHaveLength(1);
});

test('an applied compression leaves one line, whose summary unfolds in place', async ({ open }) => {
  const panel = await open({ state: fold(proposed) });
  await play(panel, proposed, { type: 'compression.applied', compressionId, trigger: 'manual', plan });
  const line = panel.page.locator('.compression-line');
  await line.getByText('Summarised 2 chapters: 84,000 → 21,000 tokens').waitFor();
  expect(await card(panel).count()).toBe(0);
  expect(await line.locator('[title]').first().getAttribute('title')).toBe('Compressed manually');
  await expect
    .poll(() => news(panel).textContent())
    .toBe('The oldest part was summarised: 84,000 to 21,000 tokens');
  await line.getByRole('button', { name: 'View the summary' }).click();
  await line.getByText('No new dependency.', { exact: false }).waitFor();
  await line.getByRole('button', { name: 'Hide the summary' }).click();
  await expect.poll(() => line.getByRole('region', { name: 'Summary' }).count()).toBe(0);
  await line.getByRole('button', { name: 'Edit the summary' }).click();
  expect((await panel.intention('compression.edit')).compressionId).toBe(compressionId);
});

test('only the newest compression can be undone', async ({ open }) => {
  const panel = await open({ state: fold(compressedTwice) });
  const lines = panel.page.locator('.compression-line');
  expect(await lines.nth(0).getByRole('button').allTextContents()).toEqual(['View']);
  expect(await lines.nth(1).getByRole('button').allTextContents()).toEqual(['View', 'Edit', 'Undo']);
  await lines.nth(1).getByRole('button', { name: 'Undo the compression' }).click();
  expect((await panel.intention('compression.undo')).compressionId).toBe('k2');
  await play(panel, compressedTwice, { type: 'compression.undone', compressionId: 'k2' });
  await expect.poll(() => lines.nth(0).getByRole('button').allTextContents()).toContain('Undo');
  await expect.poll(() => news(panel).textContent()).toBe('The compression was undone');
});

test('an undone compression says so and offers nothing', async ({ open }) => {
  const panel = await open({ state: fold(undone) });
  const line = panel.page.getByRole('group', {
    name: 'Undone: Summarised 2 chapters: 84,000 → 21,000 tokens',
  });
  expect(await line.textContent()).toBe('Summarised 2 chapters: 84,000 → 21,000 tokens Undone');
  expect(await line.getByRole('button').count()).toBe(0);
});

test('a request that is too large offers to compress, and afterwards to try again', async ({ open }) => {
  const panel = await open({ state: fold(tooLarge) });
  const failed = panel.page.locator('.failed');
  await failed.getByText('Compress…').click();
  await panel.intention('context.compress');
  const started = { type: 'compression.started', compressionId, trigger: 'manual' } as const;
  await play(panel, tooLarge, started);
  await expect.poll(() => failed.locator('vscode-button[disabled]').count()).toBe(1);
  await panel.play(
    journal([{ type: 'compression.applied', compressionId, trigger: 'manual', plan }], tooLarge.length + 1),
  );
  await expect.poll(() => failed.getByText('Compress…').count()).toBe(0);
  await failed.getByText('Retry').click();
  await panel.intention('turn.retry');
  await panel.play(journal([{ type: 'compression.undone', compressionId }], tooLarge.length + 2));
  await failed.getByText('Compress…').waitFor();
});

test('at 280 pixels nothing stands beside the page', async ({ open }) => {
  for (const state of [proposed, compressed]) {
    const panel = await open({ state: fold(state), width: 280 });
    await openMeter(panel);
    await panel.send({ type: 'context.described', breakdown });
    await popup(panel).getByText('84,000 of 200,000 tokens').waitFor();
    const beside = await panel.page.evaluate(() =>
      [...document.querySelectorAll('.context-popup *, .proposal *, .compression-line *')]
        .filter(each => !each.closest('.sr-only') && each.getBoundingClientRect().right > 280)
        .map(each => each.outerHTML),
    );
    expect(beside).toEqual([]);
  }
});
