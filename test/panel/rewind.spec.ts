import { expect } from 'vitest';
import { fold, journal, prompt } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { restored, rewound, twoTurns } from './reviewScenes.ts';
import { opening, running } from './scenario.ts';
import { test } from './suite.ts';

const to = { kind: 'turn', turnId: 't2' } as const;
const question = ({ page }: PanelPage) => page.getByRole('group', { name: 'Rewind to before this prompt' });
const field = ({ page }: PanelPage) => page.getByRole('textbox', { name: 'Ask Folio' });

async function press({ page }: PanelPage, name: string): Promise<void> {
  await page.getByRole('button', { name }).last().focus();
  await page.keyboard.press('Enter');
}

test('going back says what becomes of each file first, and is done with the keyboard alone', async ({
  open,
}) => {
  const panel = await open({ state: fold(twoTurns) });
  await press(panel, 'Rewind…');
  expect(await panel.intention('rewind.preview')).toEqual({ type: 'rewind.preview', to });
  await question(panel).getByText('Checking the files…').waitFor();
  await panel.send({ type: 'rewind.previewed', to, files: restored });
  await question(panel).getByText('merged with your edits').waitFor();
  for (const words of ['restored', 'removed (was created)', 'kept: conflicts with your edits'])
    expect(await question(panel).textContent()).toContain(words);

  await expect
    .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('type')))
    .toBe('radio');
  await panel.page.keyboard.press('ArrowDown');
  await panel.page.keyboard.press('ArrowDown');
  await expect.poll(() => panel.page.getByRole('radio', { name: 'Files only' }).isChecked()).toBe(true);
  await panel.page.keyboard.press('Tab');
  await panel.page.keyboard.press('Tab');
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('rewind.do')).toEqual({ type: 'rewind.do', to, scope: 'files' });
  await expect.poll(() => question(panel).count()).toBe(0);
});

test('Enter on a choice goes back, once it is known what becomes of the files', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns) });
  await press(panel, 'Rewind…');
  await question(panel).getByText('Checking the files…').waitFor();
  await panel.page.keyboard.press('Enter');
  await panel.send({ type: 'rewind.previewed', to, files: restored });
  await question(panel).getByText('merged with your edits').waitFor();
  expect((await panel.intentions()).map(each => each.type)).not.toContain('rewind.do');
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('rewind.do')).toEqual({ type: 'rewind.do', to, scope: 'both' });
});

test('going back in the conversation alone lists no files and needs not wait for them', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns) });
  await press(panel, 'Rewind…');
  await panel.page.getByRole('radio', { name: 'Conversation only' }).check();
  expect(await question(panel).textContent()).not.toContain('Checking the files');
  await question(panel).getByText('Rewind', { exact: true }).click();
  expect((await panel.intention('rewind.do')).scope).toBe('conversation');
});

test('Escape closes the question, stops nothing and gives the focus back', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  await press(panel, 'Rewind…');
  await question(panel).waitFor();
  await panel.page.keyboard.press('Escape');
  await expect.poll(() => question(panel).count()).toBe(0);
  expect(await panel.page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Rewind…');
  expect((await panel.intentions()).map(each => each.type)).not.toContain('turn.stop');
});

test('while Folio works going back is refused with the reason and a way to stop', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  await press(panel, 'Edit and resend');
  const turn = { kind: 'turn', turnId: 't1' } as const;
  await panel.send({ type: 'rewind.previewed', to: turn, files: [] });
  const card = panel.page.getByRole('group', { name: 'Editing this prompt restores files' });
  await card.getByText('Folio is working. You can go back when it is done.', { exact: false }).waitFor();
  await card.getByText('Go back and edit').click({ force: true });
  expect((await panel.intentions()).map(each => each.type)).not.toContain('rewind.do');
  await card.getByRole('button', { name: 'Stop' }).click();
  await panel.intention('turn.stop');
});

test('a prompt that changed no file comes back to the composer at once', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns) });
  await field(panel).fill('What I was writing');
  await press(panel, 'Edit and resend');
  await panel.intention('rewind.preview');
  await panel.send({ type: 'rewind.previewed', to, files: [] });
  expect(await panel.intention('rewind.do')).toEqual({ type: 'rewind.do', to, scope: 'both' });

  const text = 'Round the sum instead of each line';
  const attachments = [{ kind: 'file', path: 'src/invoice.ts' }] as const;
  await panel.play(journal([rewound('both', [])], twoTurns.length));
  await panel.send({ type: 'composer.filled', text, attachments });
  await expect.poll(() => field(panel).inputValue()).toBe(`${text}\n\nWhat I was writing`);
  await panel.page.getByRole('button', { name: 'Remove invoice.ts' }).waitFor();
  await expect.poll(() => panel.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  expect(await panel.page.locator('.prompt').count()).toBe(1);
});

test('a prompt that changed files is edited only after one confirmation', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns) });
  await press(panel, 'Edit and resend');
  await panel.intention('rewind.preview');
  await panel.send({ type: 'rewind.previewed', to, files: restored });
  const card = panel.page.getByRole('group', { name: 'Editing this prompt restores files' });
  await card.getByText('removed (was created)').waitFor();
  expect((await panel.intentions()).map(each => each.type)).not.toContain('rewind.do');
  await card.getByText('Go back and edit').click();
  expect((await panel.intention('rewind.do')).scope).toBe('both');
});

test('a chapter is a place to go back to', async ({ open }) => {
  const panel = await open({
    state: fold([...opening, { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } }]),
  });
  await press(panel, 'More actions of chapter 3');
  await panel.page.getByRole('menuitem', { name: 'Rewind to here…' }).click();
  const chapter = { kind: 'chapter', chapterId: 'c3' } as const;
  expect((await panel.intention('rewind.preview')).to).toEqual(chapter);
  await panel.send({ type: 'rewind.previewed', to: chapter, files: [] });
  const card = panel.page.getByRole('group', { name: 'Rewind to before this chapter' });
  await card.getByText('No file has changed since.').waitFor();
  await card.getByText('Rewind', { exact: true }).click();
  expect((await panel.intention('rewind.do')).to).toEqual(chapter);
});

test('a rewind from far above shows what it did', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns), height: 260 });
  const view = panel.page.locator('.transcript');
  await view.evaluate(each => each.scrollTo({ top: 0 }));
  await panel.play(journal([rewound('files')], twoTurns.length));
  const note = panel.page.locator('.rewound-line');
  const isInView = async () => {
    const [line, frame] = [await note.boundingBox(), await view.boundingBox()];
    return line !== null && frame !== null && line.y >= frame.y && line.y + 16 <= frame.y + frame.height;
  };
  await expect.poll(isInView).toBe(true);
});

test('a rewind says what it did and what it left, and can be undone until the next prompt', async ({
  open,
}) => {
  const panel = await open({ state: fold([...twoTurns, rewound('both')]) });
  const line = panel.page.locator('.rewound');
  expect(await line.textContent()).toContain(
    'Rewound to before “Round the sum instead of each line” · 3 files restored, 1 file not changed',
  );
  expect(await line.textContent()).toContain('kept: conflicts with your edits');
  await line.getByRole('button', { name: 'Undo rewind' }).click();
  await panel.intention('rewind.undo');
  await panel.play(journal([prompt('t3', 'Something else')], twoTurns.length + 1));
  await expect.poll(() => line.count()).toBe(0);
});

test('what Undo changes took back is offered to be done again, in the same word', async ({ open }) => {
  const panel = await open({ state: fold([...twoTurns, rewound('files')]) });
  const line = panel.page.locator('.rewound');
  expect(await line.textContent()).not.toContain('rewind');
  await line.getByRole('button', { name: 'Redo changes' }).click();
  await panel.intention('rewind.undo');
});

test('the name of an undone file is read whole in a narrow panel', async ({ open }) => {
  const { page } = await open({ state: fold([...twoTurns, rewound('files')]), width: 292 });
  await page.locator('.undone-mark').first().waitFor();
  const cut = await page
    .locator('.diff-card .row-title .ellipsis')
    .evaluateAll(names => names.filter(each => each.scrollWidth > each.clientWidth).length);
  expect(cut).toBe(0);
});

test('changes that were undone are marked, and no sum counts them, until they are redone', async ({
  open,
}) => {
  const panel = await open({ state: fold(twoTurns) });
  const edit = (name: string) => panel.page.getByRole('group', { name, exact: true });
  const facts = panel.page.locator('.chapter-end-facts').last();
  await edit('Edit src/invoice.ts, 2 lines added, 1 removed').waitFor();
  expect(await facts.textContent()).toMatch(/^All prompts: 2 calls/);

  await panel.play(journal([rewound('files')], twoTurns.length));
  await edit('Edit src/invoice.ts, 2 lines added, 1 removed, undone').waitFor();
  await expect.poll(() => facts.textContent()).toMatch(/^All prompts: 1 file undone/);
  // The next prompt ends the offer to redo them, and they stay undone.
  await panel.play(journal([prompt('t3', 'Something else')], twoTurns.length + 1));
  await expect.poll(() => panel.page.locator('.rewound').count()).toBe(0);
  expect(await edit('Edit src/invoice.ts, 2 lines added, 1 removed, undone').count()).toBe(1);

  const redone = [...twoTurns, rewound('files'), { type: 'rewind.undone', rewindId: 'rewind-1', files: [] }];
  const again = await open({ state: fold(redone as typeof twoTurns) });
  await again.page
    .getByRole('group', { name: 'Edit src/invoice.ts, 2 lines added, 1 removed', exact: true })
    .waitFor();
});

test('the question stays in view while its files come', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns), width: 300, height: 480 });
  await press(panel, 'Rewind…');
  await panel.send({ type: 'rewind.previewed', to, files: restored });
  await question(panel).getByText('merged with your edits').waitFor();
  await panel.page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const view = (await panel.page.getByRole('log').boundingBox())!;
  const title = (await question(panel).getByText('Rewind to before this prompt').boundingBox())!;
  expect(title.y).toBeGreaterThanOrEqual(view.y);
  expect(title.y + title.height).toBeLessThanOrEqual(view.y + view.height);
});

test('a rewind is announced', async ({ open }) => {
  const panel = await open({ state: fold(twoTurns) });
  await panel.play(journal([rewound('files')], twoTurns.length));
  await expect
    .poll(() => panel.page.locator('[data-announcer=quiet]').textContent())
    .toMatch(/^Files restored to before “Round the sum/);
});
