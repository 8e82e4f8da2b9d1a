import { expect } from 'vitest';
import type { ReviewedHunk } from '../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { fold, journal, prompt } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import {
  askingHunks,
  askingLongHunk,
  callFileChanges,
  commented,
  hunk,
  invoice,
  money,
  noLongerReviewed,
  onlyRejected,
  review,
  reviewed,
  reviewing,
  reviewingChapters,
  reviewingWriters,
} from './reviewScenes.ts';
import { opening, rested } from './scenario.ts';
import { test } from './suite.ts';

const strip = ({ page }: PanelPage) => page.getByRole('region', { name: 'Changes to review' });
const focused = ({ page }: PanelPage) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.role);

async function unfold(panel: PanelPage): Promise<void> {
  await strip(panel).getByRole('button', { expanded: false }).click();
}

test('what waits for review is counted in one line, which goes when nothing is left', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  expect(await strip(panel).textContent()).toContain('2 files +6 −1');
  expect(await strip(panel).textContent()).toContain('1 rejected');
  await panel.play(journal([noLongerReviewed(invoice), noLongerReviewed(money)], reviewing.length));
  await expect.poll(() => strip(panel).count()).toBe(0);
  const quiet = await open({ state: fold(rested) });
  expect(await strip(quiet).count()).toBe(0);
});

test('open comments are counted in a line that sends them, and is gone when none is open', async ({
  open,
}) => {
  const first = commented('r1', 1, 2, 'Why round here?');
  const panel = await open({ state: fold([...reviewing, first]) });
  await panel.page.getByText('1 open comment', { exact: true }).waitFor();
  const second = commented('r2', 2, 3, 'And here?');
  await panel.play(journal([second], reviewing.length + 1));
  await panel.page.getByText('2 open comments', { exact: true }).waitFor();
  const send = panel.page
    .locator('.strip', { hasText: 'open comments' })
    .getByRole('button', { name: 'Send' });
  await send.focus();
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('comments.send')).toEqual({ type: 'comments.send' });
  const deleted = ['r1', 'r2'].map((id): SessionEventBody => ({ type: 'comment.changed', id }));
  await panel.play(journal(deleted, reviewing.length + 2));
  await expect.poll(() => send.count()).toBe(0);
});

test('everything is accepted, rejected or reviewed in the editor from the line', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  await strip(panel).getByRole('button', { name: 'Accept all changes' }).click();
  const shown = [invoice, money].map(({ path, present }) => ({ path, present }));
  expect(await panel.intention('review.accept')).toEqual({ type: 'review.accept', place: {}, shown });
  await strip(panel).getByRole('button', { name: 'Reject all changes' }).click();
  expect(await panel.intention('review.reject')).toEqual({ type: 'review.reject', place: {}, shown });
  await strip(panel).getByRole('button', { name: 'Review', exact: true }).click();
  await panel.intention('changes.open');
});

test('hunks are decided with the keyboard alone, and the focus stays in the list', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  const { page, intention, play } = panel;
  await strip(panel).getByRole('button', { expanded: false }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Changed files' }).focus();
  await page.keyboard.press('j');
  expect(await focused(panel)).toBe('src/billing/invoice.ts, 3 lines added, 1 removed, pending');
  await page.keyboard.press('Enter');
  await page.getByText('You changed this').waitFor();
  await page.keyboard.press('j');
  expect(await focused(panel)).toMatch(
    /^src\/billing\/invoice\.ts, line 12, 2 lines added, 1 removed, pending/,
  );
  await page.keyboard.press('r');
  expect(await intention('review.reject')).toEqual({
    type: 'review.reject',
    place: { path: invoice.path, hunkId: 1 },
    shown: [{ path: invoice.path, present: invoice.present }],
  });
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  expect((await intention('review.accept')).place).toEqual({ path: invoice.path, hunkId: 2 });

  const left: SessionEventBody = reviewed({ ...invoice, hunks: [invoice.hunks[0]!, invoice.hunks[2]!] });
  await play(journal([left], reviewing.length));
  await expect.poll(() => focused(panel)).toMatch(/line 14, 1 line added, 1 removed, rejected/);
  await page.keyboard.press('a');
  expect(await intention('review.bringBack')).toEqual({
    type: 'review.bringBack',
    path: invoice.path,
    hunkId: 3,
  });
});

test('a change that is decided elsewhere gives its focus to what stands in its place', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  const { page, play } = panel;
  await unfold(panel);
  await page.getByRole('group', { name: 'Changed files' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('You changed this').waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => focused(panel)).toMatch(/invoice\.ts, line 12, /);
  await play(journal([reviewed({ ...invoice, hunks: invoice.hunks.slice(1) })], reviewing.length));
  await expect.poll(() => page.getByRole('group', { name: /invoice\.ts, line 12, / }).count()).toBe(0);
  expect(await focused(panel)).toBe(await page.locator('.review-hunk').first().getAttribute('aria-label'));
});

test('after the last decision the focus goes to the prompt', async ({ open }) => {
  const panel = await open({ state: fold([...opening, reviewed(money)]) });
  await unfold(panel);
  await panel.page.getByRole('group', { name: 'Changed files' }).focus();
  await panel.page.keyboard.press('j');
  await panel.page.keyboard.press('a');
  expect((await panel.intention('review.accept')).place).toMatchObject({ path: money.path });
  await panel.play(journal([noLongerReviewed(money)], opening.length + 1));
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
});

test('a file opens in the editor, and a hunk at its place', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  const { page, intention } = panel;
  await unfold(panel);
  await page.getByRole('button', { name: 'Open src/money.ts' }).click();
  expect(await intention('review.open')).toEqual({ type: 'review.open', path: money.path });
  await page
    .getByRole('group', { name: /^src\/money.ts, 3 lines/ })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(() => intention('review.open')).toMatchObject({ path: money.path, hunkId: 1 });
});

test('changes of several chapters are grouped, and a chapter is decided as a whole', async ({ open }) => {
  const panel = await open({ state: fold(reviewingChapters) });
  const { page, intention } = panel;
  await unfold(panel);
  const titles = await page.locator('.review-group-head').allTextContents();
  expect(titles).toEqual(['Reproducing the rounding error', 'Fixing the rounding in src/invoice.ts']);
  await page.getByRole('button', { name: 'Reject the changes of the chapter Reproducing' }).click();
  expect((await intention('review.reject')).place).toEqual({ chapterId: 'c2' });
  const third = page.locator('.review-group').nth(1);
  await third.getByRole('button', { name: 'Accept src/billing/invoice.ts' }).click();
  expect((await intention('review.accept')).place).toEqual({ path: invoice.path, chapterId: 'c3' });
});

test('changes are grouped by writer, by file or by chapter, by key, and the choice is kept', async ({
  open,
}) => {
  const panel = await open({ state: fold(reviewingWriters) });
  const { page, intention } = panel;
  expect(await strip(panel).textContent()).toContain('3 files +5 −2 · 2 cells changed');
  await unfold(panel);
  const heads = () => page.locator('.review-group-head h2').allTextContents();
  expect(await heads()).toEqual([]);
  await page.getByLabel('Group changes by').focus();
  await page.keyboard.press('w');
  await expect
    .poll(heads)
    .toEqual([
      expect.stringMatching(/^find src/),
      'jira: create_file path=notes/ROUND-17.md',
      'Edit the notebook, 2 operations',
    ]);
  await page.getByRole('button', { name: 'Reject the changes by jira: create_file' }).click();
  expect((await intention('review.reject')).place).toEqual({
    writer: 'jira: create_file path=notes/ROUND-17.md',
  });
  await expect.poll(() => panel.memory()).toMatchObject({ grouping: 'writer' });

  const again = await open({ state: fold(reviewingWriters), memory: { grouping: 'writer' } });
  await unfold(again);
  expect(await again.page.locator('.review-group-head').count()).toBe(3);
  // Below the writer's own heading its name is not said again; who else wrote there is.
  await again.page.locator('.review-group').first().locator('.review-file [data-toggle]').first().click();
  await again.page.locator('.review-hunk').first().waitFor();
  expect(await again.page.locator('.review-writers').count()).toBe(0);
  await again.page.locator('.review-group').last().locator('.review-file [data-toggle]').first().click();
  await expect
    .poll(() => again.page.locator('.review-writers').allTextContents())
    .toEqual([expect.stringContaining(', then Edit the notebook')]);
});

test('a single change offers no grouping', async ({ open }) => {
  const panel = await open({ state: fold([...opening, reviewed(money)]) });
  await unfold(panel);
  await panel.page.getByRole('group', { name: 'Changed files' }).waitFor();
  expect(await panel.page.getByLabel('Group changes by').count()).toBe(0);
});

test('a rejected change can be brought back while it is the only one left', async ({ open }) => {
  const panel = await open({ state: fold(onlyRejected) });
  expect(await strip(panel).textContent()).toContain('1 rejected change');
  expect(await strip(panel).getByRole('button', { name: 'Accept all changes' }).count()).toBe(0);
  await unfold(panel);
  await panel.page.getByRole('button', { name: 'Bring back' }).click();
  expect((await panel.intention('review.bringBack')).hunkId).toBe(3);
});

test('a chapter says its files and that some of them wait', async ({ open }) => {
  // The end of the newest turn shows the files of that turn itself.
  const rested: SessionEventBody = { type: 'turn.ended', turnId: 't9', end: { kind: 'rested' } };
  const events = [...reviewing, prompt('t9', 'Thanks'), rested];
  const panel = await open({ state: fold(events) });
  const facts = panel.page.locator('.chapter-end').last();
  expect(await facts.textContent()).toContain('1 file +2 −1');
  expect(await facts.textContent()).toContain('waits for review');
  await panel.play(journal([noLongerReviewed(invoice), noLongerReviewed(money)], events.length));
  await expect.poll(() => facts.textContent()).not.toContain('waits for review');
});

test('of an edit that is asked about some hunks are taken, with the keyboard alone', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingHunks) });
  await page.getByRole('checkbox', { name: 'Take change 2 of 3, line 12' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('Accept 2 of 3').waitFor();
  await page.locator('.split-button[inert]', { hasText: 'Always edit' }).waitFor();
  // The head and the name of the card say what accepting changes now.
  expect(await page.locator('.diff-head .change-counts .added').textContent()).toBe('+2 ');
  await page.getByRole('group', { name: /2 lines added, 0 removed, pending$/ }).waitFor();
  await page.keyboard.press('a');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'hunks', accepted: [0, 2] });
});

test('a mark stays under the pointer that takes it away and back', async ({ open }) => {
  const { page } = await open({ state: fold(askingHunks), width: 300, theme: 'contrast' });
  const box = page.getByRole('checkbox', { name: /^Take change 3/ });
  const at = () => box.boundingBox();
  await box.hover();
  const before = await at();
  await page.mouse.down();
  await page.mouse.up();
  await page.getByText('Accept 2 of 3').waitFor();
  expect(await at()).toEqual(before);
  await page.mouse.down();
  await page.mouse.up();
  await page.getByText('Accept 2 of 3').waitFor({ state: 'detached' });
  expect(await at()).toEqual(before);
});

test('in high contrast, lines that came and went have borders', async ({ open }) => {
  const { page } = await open({ state: fold(askingHunks), theme: 'contrast' });
  const outline = (kind: string) =>
    page
      .locator(`.diff-line.${kind}`)
      .first()
      .evaluate(line => getComputedStyle(line).outlineColor);
  expect(await outline('added')).toBe('rgb(51, 255, 46)');
  expect(await outline('removed')).toBe('rgb(255, 0, 143)');
});

test('an edit of which no hunk is taken cannot be accepted, only denied', async ({ open }) => {
  const { page, intention, intentions } = await open({ state: fold(askingHunks) });
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.locator('vscode-button[data-action=accept][disabled]').waitFor();
  await page.getByRole('checkbox').last().focus();
  await page.keyboard.press('a');
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'deny' });
});

test('an edit of which every hunk is taken is accepted as a whole', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingHunks) });
  const box = page.getByRole('checkbox').first();
  await box.uncheck();
  await box.check();
  await page.getByText('Accept', { exact: true }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('a change that a card has no room for is named, and unfolds in the card', async ({ open }) => {
  const { page } = await open({ state: fold(askingLongHunk) });
  const more = page.getByRole('button', { name: '9 more lines, 2 changed' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByText('second', { exact: true }).waitFor();
  expect(await more.count()).toBe(0);
});

test('a command says which files it changed and what a rewind will not put back', async ({ open }) => {
  const { page, intention, play } = await open({ state: fold(callFileChanges) });
  await page.getByText('A rewind cannot restore 12 files', { exact: false }).waitFor();
  await page.getByRole('button', { name: /^Changed 2 files/ }).click();
  await page.getByRole('button', { name: /^api\.ts ?src\/client/ }).click();
  expect(await intention('file.open')).toEqual({ type: 'file.open', path: 'src/client/api.ts' });
  // What waits for review leads there.
  const writers: ReviewedHunk['writers'] = [{ kind: 'command', callId: 'run3', line: 'npm run generate' }];
  const file = review('src/client/api.ts', [hunk(1), hunk(2, { writers })]);
  await play(journal([reviewed(file)], callFileChanges.length));
  await page.getByTitle('Review src/client/api.ts').click();
  expect(await intention('review.open')).toEqual({ type: 'review.open', path: file.path, hunkId: 2 });
  await page
    .getByRole('group', { name: /^Run npm run generate/ })
    .locator('[data-toggle]')
    .click();
  await page.getByRole('button', { name: /^Undo what “.*npm run generate.*” changed in files$/ }).click();
  expect(await intention('rewind.do')).toEqual({
    type: 'rewind.do',
    to: { kind: 'call', callId: 'run3' },
    scope: 'files',
  });
});

test('a failed edit says that nothing was written, and why', async ({ open }) => {
  const { page } = await open({ state: fold(callFileChanges) });
  const card = page.getByRole('group', { name: /^Edit src\/client\/api.ts, failed, Nothing was written/ });
  expect(await card.textContent()).toContain('The text to replace was not found; the nearest is at line 12');
});

test('a file that became executable says so in words, and is decided on there', async ({ open }) => {
  const mode = hunk(9, { executable: true, lines: [], baseStart: 0, baseCount: 0, start: 0, count: 0 });
  const script = review('build.sh', [mode]);
  const panel = await open({ state: fold([...reviewing, reviewed(script)]) });
  await unfold(panel);
  const file = strip(panel).getByRole('group', { name: 'build.sh, became executable, pending' });
  await file.first().waitFor();
  await strip(panel).getByRole('button', { name: 'build.sh became executable' }).click();
  await strip(panel).getByText('The file became executable.').waitFor();
});
