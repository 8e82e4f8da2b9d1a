import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import {
  compressedChapters,
  manyChapters,
  mentioning,
  pinned,
  restedChapters,
  untitled,
} from './chapterScenes.ts';
import { fold, journal, prompt, step, text } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { reviewing } from './reviewScenes.ts';
import { opening, running } from './scenario.ts';
import { test } from './suite.ts';

const headings = ({ page }: PanelPage) => page.locator('[data-chapter-heading]');
const field = ({ page }: PanelPage) => page.getByRole('textbox', { name: 'Title of chapter 3' });
const menu = ({ page }: PanelPage) => page.getByRole('menu', { name: 'More actions of chapter 3' });
const menuButton = ({ page }: PanelPage) => page.getByRole('button', { name: 'More actions of chapter 3' });
const outline = ({ page }: PanelPage) => page.getByRole('navigation', { name: 'Outline' });
const focusedText = ({ page }: PanelPage) => page.evaluate(() => document.activeElement?.textContent);
const types = async (panel: PanelPage) => (await panel.intentions()).map(each => each.type);

async function showOutline(panel: PanelPage): Promise<void> {
  await panel.send({ type: 'view.shown', view: 'outline' });
  await outline(panel).waitFor();
}

test('F2 renames the chapter in place, and the heading has the focus again', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters) });
  await headings(panel).nth(2).focus();
  await panel.page.keyboard.press('F2');
  expect(await field(panel).inputValue()).toBe('Fixing the rounding in src/invoice.ts');
  await panel.page.keyboard.type('  Rounding once ');
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('chapter.rename')).toEqual({
    type: 'chapter.rename',
    chapterId: 'c3',
    title: 'Rounding once',
  });
  await expect.poll(() => focusedText(panel)).toMatch(/^3Fixing/);
  const renamed = { type: 'chapter.renamed', chapterId: 'c3', title: 'Rounding once' } as const;
  await panel.play(journal([renamed], restedChapters.length));
  await expect.poll(() => focusedText(panel)).toMatch(/^3Rounding once/);
});

test('Escape and an empty title leave the chapter as it is called', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  for (const [words, key] of [
    ['Other', 'Escape'],
    ['   ', 'Enter'],
  ] as const) {
    await headings(panel).nth(2).focus();
    await panel.page.keyboard.press('F2');
    await field(panel).fill(words);
    await panel.page.keyboard.press(key);
    await expect.poll(() => field(panel).count()).toBe(0);
    await expect.poll(() => focusedText(panel)).toMatch(/^3Fixing/);
  }
  expect(await types(panel)).not.toContain('chapter.rename');
  expect(await types(panel)).not.toContain('turn.stop');
});

test('the pencil renames too, and leaving the field saves what was typed', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters) });
  await panel.page.locator('.chapter-line').last().hover();
  await panel.page.getByRole('button', { name: 'Rename (F2)' }).last().click();
  await field(panel).fill('Rounding once');
  await panel.page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  expect((await panel.intention('chapter.rename')).title).toBe('Rounding once');
  await expect.poll(() => field(panel).count()).toBe(0);
  expect(await panel.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('letters typed into a title are no keys of the transcript', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters) });
  await headings(panel).nth(2).focus();
  await panel.page.keyboard.press('F2');
  await panel.page.keyboard.type('jkar');
  expect(await field(panel).inputValue()).toBe('jkar');
});

test('the menu of a chapter is used with the keyboard alone', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  const { page } = panel;
  await menuButton(panel).focus();
  await page.keyboard.press('Enter');
  await menu(panel).waitFor();
  expect(await menuButton(panel).getAttribute('aria-expanded')).toBe('true');
  expect(await menu(panel).getByRole('menuitem').allTextContents()).toEqual([
    'Copy as Markdown',
    'Export…',
    'Accept changes',
    'Open changes',
    'Rewind to here…',
  ]);
  expect(await focusedText(panel)).toBe('Copy as Markdown');
  await page.keyboard.press('ArrowUp');
  expect(await focusedText(panel)).toBe('Rewind to here…');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('e');
  expect(await focusedText(panel)).toBe('Export…');
  await page.keyboard.press('Enter');
  expect(await panel.intention('chapter.export')).toEqual({ type: 'chapter.export', chapterId: 'c3' });
  await expect.poll(() => menu(panel).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('More actions of chapter 3');
});

test('Escape and Tab close the menu, stop nothing and give the focus back', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  for (const key of ['Escape', 'Tab']) {
    await menuButton(panel).focus();
    await panel.page.keyboard.press('ArrowDown');
    await menu(panel).waitFor();
    await panel.page.keyboard.press(key);
    await expect.poll(() => menu(panel).count()).toBe(0);
    const name = await panel.page.evaluate(() => document.activeElement?.ariaLabel);
    if (key === 'Escape') expect(name).toBe('More actions of chapter 3');
    else expect(name).not.toBe('More actions of chapter 3');
  }
  expect(await types(panel)).not.toContain('turn.stop');
});

test('a menu closes where the panel gets another width, and gives the focus back', async ({ open }) => {
  const panel = await open({ state: fold(running), width: 400 });
  await menuButton(panel).focus();
  await panel.page.keyboard.press('ArrowDown');
  await menu(panel).waitFor();
  await panel.page.setViewportSize({ width: 300, height: 760 });
  await expect.poll(() => menu(panel).count()).toBe(0);
  expect(await panel.page.evaluate(() => document.activeElement?.ariaLabel)).toBe(
    'More actions of chapter 3',
  );
});

test('the menu copies, accepts, opens changes and goes back', async ({ open }) => {
  const panel = await open({ state: fold(reviewing) });
  const choose = async (name: string) => {
    await panel.page.locator('.chapter-line').last().hover();
    await menuButton(panel).click();
    await menu(panel).getByRole('menuitem', { name }).click();
  };
  await choose('Copy as Markdown');
  expect((await panel.intention('chapter.copy')).chapterId).toBe('c3');
  await choose('Accept changes');
  expect((await panel.intention('review.accept')).place).toEqual({ chapterId: 'c3' });
  await choose('Open changes');
  await panel.intention('changes.open');
  await choose('Rewind to here…');
  expect((await panel.intention('rewind.preview')).to).toEqual({ kind: 'chapter', chapterId: 'c3' });
  await panel.page.getByRole('group', { name: 'Rewind to before this chapter' }).waitFor();
});

test('in a narrow panel the actions of a heading cover nothing, and the menu stays in the window', async ({
  open,
}) => {
  for (const width of [280, 340, 400]) {
    const panel = await open({ state: fold(reviewing), width });
    const line = panel.page.locator('.chapter-line').last();
    await line.hover();
    const boxes = await line
      .locator('.chapter-number, .chapter-title, .hover-actions > *')
      .evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes).toHaveLength(5);
    for (const [index, box] of boxes.entries()) {
      expect(box.width, `${index} at ${width}`).toBeGreaterThan(4);
      expect(box.right).toBeLessThanOrEqual(width);
      if (index > 0) expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]!.right);
    }
    await menuButton(panel).click();
    const box = (await menu(panel).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(760);
    await panel.close();
  }
});

test('a chapter says its calls, tokens, money and time, and leaves out what is not known', async ({
  open,
}) => {
  const panel = await open({ state: fold(restedChapters) });
  const end = panel.page.locator('.chapter-end');
  expect(await end.textContent()).toMatch(
    /^Chapter 3: 4 calls · 177k tokens · \d+% cached · at least \$0\.04 · 1 min$/,
  );
  const facts = panel.page.locator('.chapter-facts');
  expect(await facts.nth(1).textContent()).toMatch(
    /^1 call · 15k tokens · 33% cached · price unknown · \d+ s$/,
  );
  await headings(panel).nth(2).click();
  await expect.poll(() => facts.count()).toBe(3);
  expect(await end.count()).toBe(0);
  expect(await facts.nth(2).textContent()).toContain('$0.04');
});

test('in a narrow panel the facts of a folded chapter are read whole', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters), width: 280 });
  const facts = panel.page.locator('.chapter-facts').nth(1);
  expect(await facts.textContent()).toContain('price unknown');
  expect(await facts.evaluate(each => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
});

test('while a chapter grows its time moves with the clock', async ({ open }) => {
  const panel = await open({ state: fold(running), memory: { sessionId: 'session-1', folds: { c3: true } } });
  const facts = panel.page.locator('.chapter-facts').last();
  await facts.waitFor();
  const before = await facts.textContent();
  expect(before).toMatch(/\d+ s$/);
  await expect.poll(() => facts.textContent()).not.toBe(before);
  expect(await panel.page.locator('.chapter-end').count()).toBe(0);
});

test('a question between two chapters keeps its answer, and what began the next one does not', async ({
  open,
}) => {
  const asked = [prompt('t9', 'What is this?'), step('s9', 1), text('s9', 'It is a test of invoices.')];
  const ended: SessionEventBody = { type: 'turn.ended', turnId: 't9', end: { kind: 'rested' } };
  const next = [prompt('t10', 'Go on'), step('s10', 1), text('s10', 'I begin.')];
  const began = opening.filter(({ type }) => type === 'chapter.started').slice(-1);
  const later = began.map(each => ({ ...each, chapterId: 'c9', title: 'Later' })) as SessionEventBody[];
  const panel = await open({ state: fold([...restedChapters, ...asked, ended, ...next, ...later]) });
  await panel.page.getByText('It is a test of invoices.').waitFor();
  await panel.page.getByText('Go on').waitFor();
  expect(await panel.page.getByText('I begin.').count()).toBe(0);
});

test('by the setting finished chapters stay open, and what was folded by hand stays folded', async ({
  open,
}) => {
  const panel = await open({
    state: fold(opening),
    environment: { foldFinishedChapters: false },
    memory: { sessionId: 'session-1', folds: { c1: true } },
  });
  await expect
    .poll(() => headings(panel).evaluateAll(all => all.map(each => each.ariaExpanded)))
    .toEqual(['false', 'true', 'true']);
});

test('a prompt that continues in a folded chapter unfolds it, so that its answer is seen', async ({
  open,
}) => {
  const panel = await open({
    state: fold(restedChapters),
    memory: { sessionId: 'session-1', folds: { c3: true } },
  });
  expect(await headings(panel).nth(2).getAttribute('aria-expanded')).toBe('false');
  const goesOn = [prompt('t9', 'And now?'), step('s9', 1), text('s9', 'Now it is green.')];
  await panel.play(journal(goesOn, restedChapters.length));
  await panel.page.getByText('Now it is green.').waitFor();
});

test('a session without titled chapters has one quiet line with its facts and its actions', async ({
  open,
}) => {
  const panel = await open({ state: fold(untitled) });
  const end = panel.page.locator('.chapter-end');
  expect(await end.textContent()).toMatch(/^1 call · \d+ s/);
  await end.getByRole('button', { name: 'More actions' }).click();
  await panel.page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
  expect((await panel.intention('chapter.copy')).chapterId).toBe('opening');
});

test('the actions of an answer without facts are not shown as if it went on, but reached by key and pointer', async ({
  open,
}) => {
  const panel = await open({ state: fold(untitled) });
  const end = panel.page.locator('.chapter-end');
  await end.locator('.chapter-end-facts').evaluate(facts => facts.remove());
  const actions = end.getByRole('button', { name: 'More actions' });
  const opacity = () => actions.evaluate(button => getComputedStyle(button).opacity);
  await panel.page.getByRole('textbox', { name: 'Ask Folio' }).hover();
  await expect.poll(opacity).toBe('0');
  await panel.page.locator('.chapter').hover();
  await expect.poll(opacity).toBe('1');
  await panel.page.getByRole('textbox', { name: 'Ask Folio' }).hover();
  await actions.focus();
  await expect.poll(opacity).toBe('1');
});

test('what stands before the first heading is the prompt and nothing more', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters) });
  const first = panel.page.locator('[data-chapter=opening]');
  await first.locator('.prompt').waitFor();
  expect(await first.locator('.chapter-end').count()).toBe(0);
});

test('the outline says of each chapter its changes, tokens, money and time, and what was summarised', async ({
  open,
}) => {
  const panel = await open({ state: fold(compressedChapters) });
  await showOutline(panel);
  const items = outline(panel).locator('.outline-item');
  expect(await items.count()).toBe(3);
  expect(await items.nth(0).textContent()).toMatch(
    /^1Reading the invoice code, summarised, done9\.8k tokens/,
  );
  expect(await items.nth(2).textContent()).toMatch(
    /^3Fixing.*2 lines added, 1 removed, done177k tokens · at least \$0\.04 · 1 min$/,
  );
  expect(await outline(panel).getByTitle('Summarised').count()).toBe(1);
});

test('the outline exports the session', async ({ open }) => {
  const panel = await open({ state: fold(restedChapters) });
  await showOutline(panel);
  expect(await outline(panel).locator('.outline-head').textContent()).toMatch(
    /^3 chapters · \d+k tokens · at least \$0\.04/,
  );
  await outline(panel).getByRole('button', { name: 'Export session…' }).click();
  await panel.intention('session.export');
});

test('first letters lead to a chapter of a long outline, which scrolls', async ({ open }) => {
  const panel = await open({ state: fold(manyChapters), height: 400 });
  await showOutline(panel);
  const list = outline(panel).locator('.outline-list');
  expect(await list.evaluate(each => each.scrollHeight > each.clientHeight)).toBe(true);
  expect((await outline(panel).boundingBox())!.height).toBeLessThan(400);
  await panel.page.keyboard.type('repro');
  await expect.poll(() => focusedText(panel)).toMatch(/^2Reproducing/);
  expect(
    await list.evaluate(each => {
      const box = document.activeElement!.getBoundingClientRect();
      const frame = each.getBoundingClientRect();
      return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    }),
  ).toBe(true);
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => outline(panel).count()).toBe(0);
  await expect.poll(() => focusedText(panel)).toMatch(/^2Reproducing/);
});

test('the heading at the edge is cut in a narrow panel, says the whole title and leads to the outline', async ({
  open,
}) => {
  const title = 'Verifying every module of the billing package against the new money type, again';
  const lines = Array.from({ length: 80 }, (_, index) => `Paragraph ${index}.\n\n`).join('');
  const events: SessionEventBody[] = [
    ...opening,
    { type: 'chapter.started', chapterId: 'c4', title },
    text('s4', lines),
  ];
  const panel = await open({ state: fold(events), width: 280 });
  const sticky = panel.page.locator('.sticky-heading');
  await sticky.waitFor();
  expect(await sticky.getAttribute('title')).toBe(title);
  const [whole, shown] = await sticky
    .locator('.ellipsis')
    .evaluate(each => [each.scrollWidth, each.clientWidth] as const);
  expect(whole).toBeGreaterThan(shown);
  await sticky.click();
  await outline(panel).waitFor();
});

test('the heading of a folded chapter sticks while its long prompts are read', async ({ open }) => {
  const long: SessionEventBody[] = [
    ...restedChapters,
    ...Array.from({ length: 12 }, (_, index): SessionEventBody[] => [
      {
        type: 'turn.started',
        turnId: `p${index}`,
        attachments: [],
        text: Array.from({ length: 6 }, (_each, line) => `Request ${line}`).join('\n'),
      },
      { type: 'turn.ended', turnId: `p${index}`, end: { kind: 'rested' } },
    ]).flat(),
  ];
  const panel = await open({
    state: fold(long),
    memory: { sessionId: 'session-1', folds: { c3: true } },
  });
  await panel.page.locator('.sticky-heading', { hasText: 'Fixing the rounding' }).waitFor();
});

test('a prompt and an answer are pinned and unpinned by key', async ({ open }) => {
  const panel = await open({ state: fold(mentioning) });
  const press = async (name: string, at: number) => {
    await panel.page.getByRole('button', { name }).nth(at).focus();
    await panel.page.keyboard.press('Enter');
  };
  await press('Pin prompt', 0);
  expect(await panel.intention('pin.set')).toEqual({ type: 'pin.set', id: 't1', pinned: true });
  await press('Pin answer', 0);
  await expect
    .poll(async () => (await panel.intentions()).at(-1))
    .toEqual({ type: 'pin.set', id: 's1', pinned: true });
  await panel.play(journal(pinned).slice(mentioning.length));
  const unpin = panel.page.getByRole('button', { name: 'Unpin answer' });
  await unpin.waitFor();
  expect(await unpin.getAttribute('aria-pressed')).toBe('true');
  expect(await unpin.getAttribute('title')).toContain('word for word when the context is compressed');
  await press('Unpin prompt', 0);
  await expect
    .poll(async () => (await panel.intentions()).at(-1))
    .toEqual({ type: 'pin.set', id: 't1', pinned: false });
});

test('what is pinned is seen without pointing at it', async ({ open }) => {
  const panel = await open({ state: fold(pinned) });
  const opacity = (selector: string) =>
    panel.page.locator(selector).evaluate(each => getComputedStyle(each).opacity);
  await panel.page.locator('.prompt .pin-mark').waitFor();
  expect(await panel.page.locator('.prompt-text').textContent()).toMatch(/^You, pinned: /);
  await panel.page.locator('.said .pin-mark').waitFor();
  await panel.play(
    journal([...pinned, { type: 'pin.changed', id: 's1', pinned: false }]).slice(pinned.length),
  );
  await expect.poll(() => panel.page.locator('.said .pin-mark').count()).toBe(0);
  expect(await opacity('.said .hover-actions')).toBe('0');
});

test('an answer has the full width; its actions come with the pointer, and by Tab', async ({ open }) => {
  const { page } = await open({ state: fold(restedChapters), width: 280 });
  const said = page.locator('.said').first();
  const actions = said.locator('.hover-actions');
  const floats = await said.evaluate(each => {
    const kept = [...each.querySelectorAll('*')].filter(inner => getComputedStyle(inner).float !== 'none');
    return kept.length;
  });
  expect(floats).toBe(0);
  await said.hover();
  await expect.poll(() => actions.evaluate(each => getComputedStyle(each).opacity)).toBe('1');
  await page.mouse.move(0, 0);
  await expect.poll(() => actions.evaluate(each => getComputedStyle(each).opacity)).toBe('0');
  await said.getByRole('button', { name: 'Copy the answer' }).focus();
  await expect.poll(() => actions.evaluate(each => getComputedStyle(each).opacity)).toBe('1');
});

test('what a prompt names is a chip that opens it, and says how much of it was read', async ({ open }) => {
  const panel = await open({ state: fold(mentioning) });
  const chips = panel.page.locator('.prompt .chip');
  expect(await chips.allTextContents()).toEqual([
    'invoice.ts, 48 lines',
    'src/billing/· cut, 12 of 40 files',
    'problems, 2 errors',
  ]);
  expect(await chips.nth(0).getAttribute('title')).toBe('src/invoice.ts: 48 lines');
  expect(await chips.nth(1).getByRole('button').count()).toBe(0);
  await chips.nth(0).getByRole('button').click();
  expect(await panel.intention('file.open')).toEqual({ type: 'file.open', path: 'src/invoice.ts' });
});

test('what could not be read is said with the reason in plain sight', async ({ open }) => {
  const panel = await open({ state: fold(mentioning) });
  const problems = panel.page.locator('.mention-trouble');
  expect(await problems.allInnerTexts()).toHaveLength(2);
  expect(await problems.nth(0).textContent()).toBe('Not read: @dist/bundle.js Excluded by .gitignore');
  expect(await problems.nth(1).textContent()).toContain('The server answered 503');
  await problems.nth(1).getByText('The server answered 503').waitFor({ state: 'visible' });
});

test('a chapter that is unfolded by hand is no news', async ({ open }) => {
  const lines = Array.from({ length: 80 }, (_, index) => `Paragraph ${index}.\n\n`).join('');
  const events: SessionEventBody[] = [...opening, text('s3', lines)];
  const panel = await open({ state: fold(events), width: 500, height: 400 });
  const log = panel.page.getByRole('log');
  await expect.poll(() => log.evaluate(each => each.scrollTop)).toBeGreaterThan(200);
  await log.evaluate(each => {
    each.scrollTop = 0;
  });
  await expect.poll(() => panel.memory()).toMatchObject({ scroll: expect.any(Number) });
  const before = await log.evaluate(each => each.scrollHeight);
  await headings(panel).nth(0).click();
  await expect.poll(() => log.evaluate(each => each.scrollHeight)).toBeGreaterThan(before);
  await panel.page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
  expect(await panel.page.locator('.new-below').count()).toBe(0);
  await panel.play(journal([text('s3', lines)], events.length));
  await panel.page.getByText('New below').waitFor();
});
