/* How the lines of a change are shown, on every card that has some. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { done, end, fold, invoiceDiff, prompt, started } from './journal.ts';
import { askingHunks, askingLines, askingLongLines } from './reviewScenes.ts';
import { test } from './suite.ts';

/** Returns what is right of the box or beyond the columns of a line, and the height of the tallest line. */
function measureLines(page: Page) {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll('.ask .diff-line')];
    const faults = lines.flatMap(line => {
      const box = line.closest('.diff')!.getBoundingClientRect();
      const [number, sign, text] = [...line.children].map(each => each.getBoundingClientRect());
      const letters = document.createRange();
      letters.selectNodeContents(line.lastElementChild!);
      const rows = [...letters.getClientRects()];
      const isIn = rows.every(row => row.left >= text!.left && row.right <= box.right);
      const isApart = number!.right <= sign!.left && sign!.right <= text!.left && number!.left >= box.left;
      return isIn && isApart ? [] : [line.textContent!.slice(0, 40)];
    });
    return { count: lines.length, faults, tallest: Math.max(...lines.map(each => each.clientHeight)) };
  });
}

test('every letter of a changed line can be read without scrolling sideways, at every width', async ({
  open,
}) => {
  const { page } = await open({ state: fold(askingLongLines), width: 300 });
  for (const width of [280, 300, 700]) {
    await page.setViewportSize({ width, height: 760 });
    const { count, faults, tallest } = await measureLines(page);
    expect(count).toBe(6);
    expect(faults, `at ${width} pixels`).toEqual([]);
    expect(tallest).toBeLessThanOrEqual(144);
  }
});

test('what changed in a line is marked, and is in view however long the line', async ({ open }) => {
  const { page } = await open({ state: fold(askingLongLines), width: 300 });
  const changed = page.locator('.ask .diff-changed');
  expect(await changed.allTextContents()).toEqual(['', ', currency: string', '19', '21']);
  const isInView = await changed.evaluateAll(all =>
    all.map(each => {
      const line = each.closest('.diff-text')!.getBoundingClientRect();
      const { top, bottom } = each.getBoundingClientRect();
      return top >= line.top && bottom <= line.bottom;
    }),
  );
  expect(isInView).toEqual([true, true, true, true]);
});

/** Returns whether the path in the title of an ask is cut, is below the verb, and has the whole width. */
function measureTitle(page: Page) {
  return page.locator('.ask-title').evaluate(head => {
    const path = head.querySelector('.diff-path')!;
    const verb = document.createRange();
    verb.selectNodeContents(head.firstChild!);
    return {
      verb: verb.toString(),
      isCut: [...path.querySelectorAll('.ellipsis')].some(each => each.scrollWidth > each.clientWidth),
      isBelow: path.getBoundingClientRect().top >= verb.getBoundingClientRect().bottom - 2,
      isWide: path.clientWidth === head.clientWidth,
    };
  });
}

test('the title of an edit that asks names verb and path whole; only a path longer than a line is cut', async ({
  open,
}) => {
  const { page, show } = await open({ state: fold(askingHunks), width: 340 });
  const whole = { verb: 'Edit ', isCut: false };
  expect(await measureTitle(page)).toEqual({ ...whole, isBelow: false, isWide: false });
  await page.setViewportSize({ width: 280, height: 760 });
  expect(await measureTitle(page)).toEqual({ ...whole, isBelow: true, isWide: false });
  await show(fold(askingLongLines));
  await page.getByText('packages/billing').first().waitFor();
  expect(await measureTitle(page)).toEqual({ verb: 'Edit ', isCut: true, isBelow: true, isWide: true });
});

test('the row of a written change keeps its verb', async ({ open }) => {
  const { page } = await open({ state: fold(askingHunks), width: 280 });
  const title = page.locator('.diff-card .row-title');
  expect(await title.textContent()).toBe('Edit src/invoice.ts');
  const verb = title.locator('> span').first();
  expect(await verb.textContent()).toBe('Edit ');
  expect(await verb.evaluate(each => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
});

test('the name of a file is cut after the words behind it', async ({ open }) => {
  const call = {
    id: 'r1',
    tool: 'read_file',
    title: 'Read large.txt lines 150000-150001',
    args: { file_path: 'large.txt' },
  };
  const lines = '2 lines';
  const { page } = await open({
    state: fold([started, prompt('t1', 'Read'), ...done(call, lines)]),
    width: 280,
  });
  const name = page.locator('.row-title > span').nth(1);
  expect(await name.textContent()).toBe('large.txt');
  expect(await name.evaluate(each => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
});

test('a single line more than a card shows is shown in place of a row that counts it', async ({ open }) => {
  const linesOf = (length: number) =>
    Array.from({ length }, (_, i) => ({ kind: 'added', text: `${i}` }) as const);
  const { page, show } = await open({ state: fold(askingLines(linesOf(13))) });
  await page.locator('.ask .diff-line').last().getByText('12', { exact: true }).waitFor();
  expect(await page.locator('.ask .diff-more').count()).toBe(0);
  await show(fold(askingLines(linesOf(14))));
  await page.getByRole('button', { name: '2 more lines, 2 changed' }).waitFor();
  expect(await page.locator('.ask .diff-line').count()).toBe(12);
});

test('the title of a card that asks is in view with its buttons, and while a long card scrolls', async ({
  open,
}) => {
  const { page } = await open({ state: fold(askingHunks), width: 300, height: 690 });
  const heading = page.locator('.sticky-heading');
  const isBelowHeading = async () => {
    const bar = (await heading.boundingBox())!;
    const title = (await page.locator('.ask-title').boundingBox())!;
    return title.y >= bar.y + bar.height - 1;
  };
  await page.getByText('Deny…').waitFor();
  expect(await isBelowHeading()).toBe(true);
  await page.setViewportSize({ width: 300, height: 420 });
  await page.getByRole('log').evaluate(log => log.scrollTo({ top: log.scrollHeight }));
  await heading.waitFor();
  expect(await isBelowHeading()).toBe(true);
});

test('from the prompt to the marks of a change, only what can be pressed or scrolled is a tab stop', async ({
  open,
}) => {
  const { page, show } = await open({ state: fold(askingHunks), width: 300 });
  const stops = (keys: number) => walkBack(page, keys);
  expect(await stops(2)).toEqual(['Take change 3 of 3, line 42', 'Take change 2 of 3, line 12']);
  await page.keyboard.press('Shift+Tab');
  const ring = await page.evaluate(() => {
    const mark = document.activeElement!;
    const { outlineWidth, outlineOffset } = getComputedStyle(mark);
    const room =
      mark.getBoundingClientRect().left - mark.closest('.hunk-choices')!.getBoundingClientRect().left;
    return parseFloat(outlineOffset) > 0 && room >= parseFloat(outlineWidth) + parseFloat(outlineOffset);
  });
  expect(ring).toBe(true);
  await show(fold(askingLongLines));
  await page.locator('.diff-changed').nth(3).waitFor();
  expect(await stops(2)).toEqual(['diff-text', 'diff-text']);
});

test('the mark of a change stands beside its lines, however they are scrolled and reached', async ({
  open,
}) => {
  const { page } = await open({ state: fold(askingHunks), width: 292, height: 560 });
  const choices = page.locator('.hunk-choice');
  const areTogether = (hunk: number, line: 'first' | 'last') =>
    choices.nth(hunk).evaluate((choice, which) => {
      const view = choice.parentElement!.getBoundingClientRect();
      const lines = [...choice.querySelectorAll('.diff-line:is(.added, .removed)')];
      const changed = which === 'first' ? lines[0]! : lines.at(-1)!;
      return [choice.querySelector('.mark')!, changed].every(each => {
        const { top, bottom } = each.getBoundingClientRect();
        return top >= view.top - 1 && bottom <= view.bottom + 1;
      });
    }, line);
  await choices
    .nth(1)
    .evaluate(choice =>
      [...choice.querySelectorAll('.diff-line.added')].at(-1)!.scrollIntoView({ block: 'end' }),
    );
  expect(await areTogether(1, 'last')).toBe(true);
  for (const hunk of [2, 1, 0]) {
    await walkBack(page, 3 - hunk);
    await expect.poll(() => areTogether(hunk, 'first')).toBe(true);
  }
  await page.keyboard.press('Tab');
  await expect.poll(() => areTogether(1, 'first')).toBe(true);
});

test('the card of an edit of which hunks were left out says so', async ({ open }) => {
  const asked = askingHunks.find(body => body.type === 'call.asked')!;
  const { callId } = asked;
  const written = { summary: '+2', detail: { kind: 'diff', diff: invoiceDiff } } as const;
  const after = (decision: 'once' | 'hunks') =>
    fold([
      ...askingHunks,
      { type: 'call.decided', callId, decision },
      end(callId, '+2', { display: written }),
    ]);
  const note = ({ page }: { readonly page: Page }) => page.getByText('You accepted a part of this edit');
  await note(await open({ state: after('hunks'), width: 292 })).waitFor();
  const whole = await open({ state: after('once') });
  await whole.page.locator('.diff-card').last().waitFor();
  expect(await note(whole).count()).toBe(0);
});

/** Walks back from the first button of an ask, and returns the names or classes of the tab stops. */
async function walkBack(page: Page, keys: number): Promise<readonly (string | null)[]> {
  await page.locator('.ask [data-action=accept]').focus();
  const names: (string | null)[] = [];
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('Shift+Tab');
    names.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement!.getAttribute('aria-label') ?? activeElement!.className;
      }),
    );
  }
  return names;
}
