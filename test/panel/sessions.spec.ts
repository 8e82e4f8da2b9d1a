import { expect } from 'vitest';
import { findChapter } from '../../src/extension/core/recording/findChapter.ts';
import type { SessionEntry } from '../../src/protocol/panel/sessions.ts';
import { chapter, notify, prompt, rested, said, started } from '../support/story.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { entry, freshSession, history, listed, session } from './sessionScenes.ts';
import { test } from './suite.ts';

type Open = (options?: PanelOptions) => Promise<PanelPage>;

const search = { name: 'Search prompts, answers and files' };
const field = { name: 'Ask Folio' };

async function openHistory(
  open: Open,
  sessions: readonly SessionEntry[] = history(),
  options?: PanelOptions,
) {
  const panel = await open({ state: session('session-1'), ...options });
  await panel.send({ type: 'view.shown', view: 'history' });
  await panel.intention('sessions.list');
  await panel.send(listed(sessions));
  await panel.page.getByText('Reading the sessions…').waitFor({ state: 'detached' });
  return panel;
}

const focused = ({ page }: PanelPage) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

async function queries({ intentions }: PanelPage): Promise<readonly string[]> {
  return (await intentions()).filter(each => each.type === 'sessions.list').map(({ query }) => query);
}

async function actsOf({ intentions }: PanelPage, type: string) {
  return (await intentions()).filter(each => each.type === type);
}

test('the host searches, and only its answer to the newest words counts', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  // The field has the focus: who opens the history types at once.
  await page.keyboard.type('rounding');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('rounding');
  expect(await page.getByRole('button', { name: /Move to ESM/ }).count()).toBe(1);
  await send(listed([entry('x', { title: 'Too late' })], 'round'), listed([history()[0]!], 'rounding'));
  await expect.poll(() => page.getByRole('button', { name: /Move to ESM/ }).count()).toBe(0);
  expect(await page.getByText('Too late').count()).toBe(0);
  await page.getByRole('button', { name: /The total of an invoice/ }).waitFor();
});

test('a row says where the words stand that title and chapters lack', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  await page.keyboard.type('off by one');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('off by one');
  const found = '…the loop over the lines was off by one.';
  await send(listed([entry('x', { title: 'Fix it', chapters: ['Reading'], found })], 'off by one'));
  await page
    .getByRole('button', { name: /Fix it/ })
    .getByText(found)
    .waitFor();
  expect(await page.getByText('Reading').count()).toBe(0);
});

test('found words are marked and in view, whatever their case and accents', async ({ open }) => {
  const panel = await openHistory(open, history(), { width: 280 });
  const { page, send } = panel;
  const title = 'Die Summe der Rechnung und ihrer Zeilen ist um Übergänge (USD) falsch';
  await page.keyboard.type('ubergange (usd');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('ubergange (usd');
  await send(
    listed(
      [
        entry('x', { title }),
        entry('y', {
          title: 'Fix it',
          chapters: ['Reading every line', 'Testing', 'Writing ubergange (usd)'],
        }),
        entry('z', { title: 'Hm', found: '…said ÜBERGÄNGE, not (usd' }),
      ],
      'ubergange (usd',
    ),
  );
  const marks = page.locator('.session mark');
  await expect
    .poll(() => marks.allTextContents())
    .toEqual(['Übergänge', '(USD', 'ubergange', '(usd', 'ÜBERGÄNGE', '(usd']);
  await page.getByRole('button', { name: title }).waitFor();
  const hidden = await marks.evaluateAll(all =>
    all.filter(mark => {
      const box = mark.closest('.ellipsis')!.getBoundingClientRect();
      const { left, right, bottom } = mark.getBoundingClientRect();
      return left < box.left || right > box.right + 1 || bottom > box.bottom + 1;
    }),
  );
  expect(hidden).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('');
  await send(listed([entry('x', { title })]));
  await expect.poll(() => marks.count()).toBe(0);
});

test('quick typing asks for less than every letter, and Escape empties the field before it leaves', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  const words = 'a much longer search than anyone types';
  await page.getByRole('textbox', search).evaluate((input: HTMLInputElement, typed) => {
    for (let length = 1; length <= typed.length; length++) {
      input.value = typed.slice(0, length);
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }, words);
  await expect.poll(() => queries(panel)).toEqual(['', words]);
  await send(listed([], words));
  await page.getByText(`No session matches “${words}”.`).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('');
  await send(listed(history()));
  await page.getByRole('button', { name: /Move to ESM/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', field).waitFor();
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
});

test('the history says that it reads, that it is empty, and that there is more', async ({ open }) => {
  const panel = await open({ state: session('session-1') });
  const { page, send } = panel;
  await send({ type: 'view.shown', view: 'history' });
  await page.getByText('Reading the sessions…').waitFor();
  await send(listed([]));
  await page.getByText('No earlier sessions in this folder.').waitFor();
  expect(await page.getByRole('textbox', search).count()).toBe(0);
  await send(
    listed(
      Array.from({ length: 100 }, (_, at) => entry(`s${at}`)),
      '',
      true,
    ),
  );
  await page.getByText('Showing the newest 100. Search to find older ones.').waitFor();
});

test('a search of before is not shown as if it were the whole history', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  await page.keyboard.type('esm');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('esm');
  await send(listed([history()[1]!], 'esm'));
  await page.getByRole('button', { name: 'Back to the session' }).click();
  await page.getByRole('log').waitFor();
  await send({ type: 'view.shown', view: 'history' });
  await page.getByText('Reading the sessions…').waitFor();
  expect(await page.getByRole('button', { name: /Move to ESM/ }).count()).toBe(0);
});

test('what waits, works or can be reviewed stands first, then the days', async ({ open }) => {
  const { page, send } = await openHistory(open);
  const headings = () => page.getByRole('heading', { level: 2 }).allTextContents();
  expect((await headings()).slice(0, 4)).toEqual(['Waiting for you', 'Working', 'Today', 'Yesterday']);
  await page.getByRole('button', { name: /^Working: Move to ESM/ }).waitFor();
  await page.getByRole('button', { name: /^What does total/ }).waitFor();
  // What the window knows is newer than the list, and may be more.
  await send({
    type: 'sessions.open',
    sessions: [
      { sessionId: 'b', title: 'Move to ESM', status: 'failed' },
      { sessionId: 'new', title: 'Just begun', status: 'working', since: Date.now() },
    ],
  });
  await page.getByRole('button', { name: /^Ended in an error: Move to ESM/ }).waitFor();
  await page.getByRole('button', { name: /^Working: Just begun/ }).waitFor();
  expect((await headings()).slice(0, 3)).toEqual(['Waiting for you', 'Working', 'To review']);
});

test('rows with and without a mark begin at one edge, also their second lines', async ({ open }) => {
  const { page } = await openHistory(open);
  const edges = await page
    .locator('.session-title, .session-chapters')
    .evaluateAll(each =>
      each.map(
        element =>
          element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft),
      ),
    );
  expect(edges.length).toBeGreaterThan(4);
  expect(new Set(edges.map(Math.round))).toHaveLength(1);
});

test('the arrows walk from the field over the rows to their actions, and Tab finds one row', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, intention } = panel;
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(panel)).toContain('Move to ESM');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(panel)).toBe('Export Move to ESM');
  await page.keyboard.press('Enter');
  expect(await intention('session.export')).toEqual({ type: 'session.export', sessionId: 'b' });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused(panel)).toBe('Search prompts, answers and files');
  // Past the two buttons of the filter.
  for (let press = 0; press < 3; press++) await page.keyboard.press('Tab');
  await expect.poll(() => focused(panel)).toContain('Publish the package');
  expect(await page.locator('.session[tabindex="0"]').count()).toBe(1);
});

test('a row that a late answer to the search takes away gives its focus to what stands in its place', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  await page.keyboard.type('esm');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('esm');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(panel)).toContain('Publish the package');
  await send(listed([history()[1]!], 'esm'));
  await expect.poll(() => page.locator('.session').count()).toBe(1);
  expect(await focused(panel)).toContain('Move to ESM');
  await send(listed([], 'esm'));
  await page.getByText('No session matches “esm”.').waitFor();
  expect(await focused(panel)).toBe(search.name);
});

test('while words are typed, the row that Enter opens looks chosen, and only then', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, send } = panel;
  const colour = (at: number) =>
    page
      .locator('.session')
      .nth(at)
      .evaluate(row => getComputedStyle(row).backgroundColor);
  const plain = await colour(1);
  expect(await colour(0)).toBe(plain);
  await page.keyboard.type('a');
  await send(listed(history(), 'a'));
  await expect.poll(() => colour(0)).not.toBe(plain);
  expect(await colour(1)).toBe(plain);
  await page.getByText('Enter opens the first match.').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => colour(0)).toBe(plain);
});

test('Enter before the search has answered opens its first match then, or nothing where nothing is found', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, send, intention } = panel;
  const waits = page.getByText('Searching… Then the first match opens.');
  const [found] = history().slice(2);
  const opened = () => actsOf(panel, 'session.open');
  const type = async (words: string) => {
    await page.getByRole('textbox', search).fill(words);
    await expect.poll(async () => (await queries(panel)).at(-1)).toBe(words);
  };
  await type('none');
  await page.keyboard.press('Enter');
  await waits.waitFor();
  await send(listed([], 'none'));
  await waits.waitFor({ state: 'detached' });
  // The first row is still the one of before.
  await send(listed(history(), 'none'));
  await type('tax');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await waits.waitFor();
  // Escape undoes the request, and not yet the words.
  await page.keyboard.press('Escape');
  await waits.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', search).inputValue()).toBe('tax');
  await send(listed([history()[1]!], 'tax'));
  await expect.poll(() => page.locator('.session').count()).toBe(1);
  await type('rounding');
  await page.keyboard.press('Enter');
  await waits.waitFor();
  expect(await opened()).toEqual([]);
  await send(listed([found!, history()[1]!], 'rounding'));
  const { sessionId } = found!;
  expect(await intention('session.open')).toEqual({ type: 'session.open', sessionId, query: 'rounding' });
});

test('Enter opens a session: the history stays until it is there, then the prompt has the focus', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, intention } = panel;
  await page.getByRole('button', { name: /Move to ESM/ }).focus();
  await page.keyboard.press('Enter');
  expect((await intention('session.open')).sessionId).toBe('b');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await panel.show(session('b'));
  await page.getByText('What is b?').waitFor();
  await expect.poll(() => focused(panel)).toBe('Ask Folio');
});

test('a hit is opened at the chapter that the host finds, not at the end', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, send, show } = panel;
  await page.getByRole('textbox', search).fill('wool');
  await expect.poll(async () => (await queries(panel)).at(-1)).toBe('wool');
  await send(listed([entry('b')], 'wool'));
  await page.keyboard.press('Enter');
  const story = [
    started,
    prompt('Sell it'),
    chapter('Shearing'),
    said('The wool is off. '.repeat(400)),
    chapter('Selling'),
    said('It is sold. '.repeat(400)),
    rested(),
  ];
  const state = { ...notify(...story), sessionId: 'b' };
  await show(state);
  await send({ type: 'place.shown', place: { kind: 'chapter', id: findChapter(state, 'wool')! } });
  await expect.poll(() => focused(panel)).toMatch(/Shearing/);
  const heading = page.locator('[data-chapter-heading]', { hasText: 'Shearing' });
  await expect.poll(() => heading.evaluate(element => element.getBoundingClientRect().top)).toBeLessThan(200);
});

test('the session that is shown is opened at once', async ({ open }) => {
  const { page, intentions } = await openHistory(open);
  await page.getByRole('button', { name: /The total of an invoice/ }).click();
  await page.getByRole('log').waitFor();
  expect((await intentions()).map(each => each.type)).not.toContain('session.open');
});

test('F2 renames in place, Escape leaves the title and blanks are none', async ({ open }) => {
  const panel = await openHistory(open);
  const { page, intention } = panel;
  const title = page.getByRole('textbox', { name: 'Title of the session' });
  const row = page.getByRole('button', { name: /^Waiting for you: Publish the package/ });
  await row.focus();
  await page.keyboard.press('F2');
  await title.fill('Something else');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(panel)).toContain('Publish the package');
  await page.keyboard.press('F2');
  await title.fill('   ');
  await page.keyboard.press('Enter');
  await row.waitFor();
  expect(await actsOf(panel, 'session.rename')).toEqual([]);
  await page.keyboard.press('F2');
  await title.fill(' Release 2.0 ');
  // Keys of the row are letters here.
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  expect(await intention('session.rename')).toEqual({
    type: 'session.rename',
    sessionId: 'c',
    title: 'Release 2.0',
  });
  await expect.poll(() => focused(panel)).toContain('Release 2.0');
  expect(await actsOf(panel, 'session.delete')).toEqual([]);
});

test('a title is cut at 200 characters and is one line, and leaving the field saves it', async ({ open }) => {
  const { page, intention } = await openHistory(open);
  await page.locator('.session-row').nth(1).hover();
  await page.getByRole('button', { name: 'Rename Move to ESM (F2)' }).click();
  await page.keyboard.insertText(`line one\nline two ${'x'.repeat(300)}`);
  await page.getByRole('textbox', search).click();
  const { title } = await intention('session.rename');
  expect(title).toHaveLength(200);
  expect(title).not.toContain('\n');
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('input');
});

test('Delete leaves a line with the way back, also when the host lists the session no longer', async ({
  open,
}) => {
  const sessions = history();
  const panel = await openHistory(open, sessions);
  const { page, intention, send } = panel;
  await page.getByRole('button', { name: /Move to ESM/ }).focus();
  await page.keyboard.press('Delete');
  expect((await intention('session.delete')).sessionId).toBe('b');
  await send(listed(sessions.filter(each => each.sessionId !== 'b')));
  await page.getByText('Deleted: Move to ESM').waitFor();
  await expect.poll(() => focused(panel)).toBe('Undo: delete Move to ESM');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(panel)).toContain('The total of an invoice');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  expect((await intention('session.restore')).sessionId).toBe('b');
  await expect.poll(() => focused(panel)).toContain('Move to ESM');
  expect(await page.locator('.session-row').count()).toBe(sessions.length);
});

test('the session that is shown can be deleted from there: the history stays, and its line too', async ({
  open,
}) => {
  const panel = await openHistory(open);
  const { page, send, intention } = panel;
  await page.getByRole('button', { name: /The total of an invoice/ }).hover();
  await page.getByRole('button', { name: /^Delete The total/ }).click();
  expect((await intention('session.delete')).sessionId).toBe('session-1');
  await panel.show(freshSession('n'));
  await send(listed(history().slice(1)));
  await page.getByText(/^Deleted: The total/).waitFor();
  await page.getByRole('button', { name: 'Back to the session' }).click();
  await page.getByRole('log').waitFor();
  // The view was left: so was the way back.
  await send({ type: 'view.shown', view: 'history' });
  await page.getByRole('button', { name: /Move to ESM/ }).waitFor();
  expect(await page.getByText(/^Deleted/).count()).toBe(0);
});

test('a title from right to left keeps to itself, and long ones end with dots at any width', async ({
  open,
}) => {
  for (const width of [400, 200]) {
    const spoof = entry('s', { title: 'safe \u202Egnp.exe', chapters: ['\u202Eeno', 'two'] });
    const { page, close } = await openHistory(open, [spoof, ...history()], { width });
    for (const row of await page.locator('.session-row').all()) {
      const { title, time, line } = await row.evaluate(each => ({
        title: each.querySelector('.session-title')!.getBoundingClientRect().toJSON(),
        time: each.querySelector('.session-time')!.getBoundingClientRect().toJSON(),
        line: each.getBoundingClientRect().toJSON(),
      }));
      expect(title.right).toBeLessThanOrEqual(time.left);
      expect(time.right).toBeLessThanOrEqual(line.right);
      expect(title.width).toBeGreaterThan(20);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await page.locator('.session-title[dir=auto]').count()).toBe(history().length + 1);
    await close();
  }
});

test('of a thousand sessions only those are laid out that are seen', async ({ open }) => {
  const many = Array.from({ length: 1000 }, (_, at) =>
    entry(`s${at}`, { chapters: ['One', 'Two'], changedAt: Date.now() - at * 3_600_000 }),
  );
  const panel = await openHistory(open, many);
  const { page } = panel;
  expect(await page.locator('.session-row').count()).toBe(1000);
  const hidden = await page
    .locator('.session-row')
    .evaluateAll(
      rows =>
        rows.filter(row => !row.firstElementChild!.checkVisibility({ contentVisibilityAuto: true })).length,
    );
  expect(hidden).toBeGreaterThan(800);
  await page.locator('.session').last().focus();
  await expect.poll(() => focused(panel)).toContain('Session s999');
  expect(await page.locator('.session-actions').count()).toBe(1);
});

test('what a row becomes while it is renamed or deleted moves none below it', async ({ open }) => {
  const { page } = await openHistory(open);
  const tops = () =>
    page
      .locator('.session-row')
      .evaluateAll(rows => rows.map(row => Math.round(row.getBoundingClientRect().top)));
  const before = await tops();
  for (const at of [1, 4]) {
    await page.locator('.session-row').nth(at).locator('.session').focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Title of the session' }).waitFor();
    expect(await tops(), `renaming ${at}`).toEqual(before);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await expect.poll(() => page.getByText(/^Deleted:/).count()).toBe(at === 1 ? 1 : 2);
    expect(await tops(), `deleting ${at}`).toEqual(before);
  }
});

test('from an action of a row the arrows continue among the rows', async ({ open }) => {
  const panel = await openHistory(open);
  const { page } = panel;
  await page.getByRole('button', { name: /Move to ESM/ }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(panel)).toBe('Export Move to ESM');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(panel)).toContain('The total of an invoice');
});
