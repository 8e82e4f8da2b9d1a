import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { overwrite, text, waitFor } from '../support/geminiAnswers.ts';
import {
  ask,
  expectPlayed,
  focusEditor,
  lens,
  until,
  untilAtLine,
  untilHolds,
} from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const listBefore = `export function first(items) {
  return items[0];
}

export function last(items) {
  return items[items.length - 1];
}

// Old and unused.
export function middle(items) {
  return items[Math.floor(items.length / 2)];
}

export function isEmpty(items) {
  return items.length === 0;
}
`;

/** Three hunks: two lines changed, a function removed, a function added at the end. */
const listAfter = `export function first(items) {
  return items.at(0);
}

export function last(items) {
  return items.at(-1);
}

export function isEmpty(items) {
  return items.length === 0;
}

export function size(items) {
  return items.length;
}
`;

const notesBefore = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n';
const notesAfter = 'ONE\r\ntwo\r\nthree\r\nfour\r\nFIVE\r\n';

test('a removed line stands behind the line that took its place', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'list.js': listBefore });
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  gemini.script([...overwrite('list.js', listAfter)], [text('Done.')]);
  await ask(panel, 'Shorten it.');
  await panel.getByText('Done.').waitFor();
  await window.evaluate('openFile', join(folder, 'list.js'));
  const drawn = () =>
    window.page
      .locator('.view-line span')
      .evaluateAll(spans =>
        spans.map(span => getComputedStyle(span, '::after').content).filter(words => words.includes('−')),
      );
  // The editor draws its lines again whenever a language tool speaks.
  for (const removed of ['− return items[0];', '− // Old and unused.  +4'])
    await until(`"${removed}" is drawn`, async () =>
      (await drawn()).join().replaceAll('\u00a0', ' ').includes(removed),
    );
  await window.savePicture('removed-lines');
});

test('hunks are decided where the code is, by mouse and keyboard, with typing in between, and undone', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'list.js': listBefore, 'notes.txt': notesBefore });
  const list = join(folder, 'list.js');
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script(
    [...overwrite('list.js', listAfter), ...overwrite('notes.txt', notesAfter)],
    [text('Both are done.')],
  );
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Tidy up.');
  await panel.getByText('Both are done.').waitFor();
  expect(await readFile(list, 'utf8')).toBe(listAfter);

  await window.evaluate('openFile', list);
  await lens(page, 'Accept').first().waitFor();
  await until('there is a lens for each hunk', async () => (await lens(page, 'Accept').count()) === 4);
  await lens(page, 'Accept all 4').waitFor();
  await page.locator('.explorer-folders-view, .tab .monaco-icon-label').first().waitFor();
  await window.screenshot('review');

  // By mouse: the second hunk is kept, and nothing is written.
  await lens(page, 'Accept').nth(1).click();
  await lens(page, 'Accept all 3').waitFor();
  expect(await readFile(list, 'utf8')).toBe(listAfter);

  // By keyboard, with typing in between: the first hunk goes, the typing stays.
  await focusEditor(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('const mine = 1;\n');
  await page.keyboard.press('Alt+j');
  await untilAtLine(page, 3);
  await page.keyboard.press('Alt+x');
  const kept = listAfter.replace('items.at(0)', 'items[0]');
  await untilHolds(list, `const mine = 1;\n${kept}`);
  await lens(page, 'Accept all 2').waitFor();

  // Undo in the editor brings the hunk back, redo takes it away again.
  await page.keyboard.press('Control+z');
  await lens(page, 'Accept all 3').waitFor();
  await page.keyboard.press('Control+Shift+z');
  await lens(page, 'Accept all 2').waitFor();
  expect((await window.evaluate('readDocument', list)).text).toBe(`const mine = 1;\n${kept}`);

  // The removed function comes back, the new one stays.
  await lens(page, 'Reject').first().click();
  const whole = kept.replace('export function isEmpty', `${middle}export function isEmpty`);
  await untilHolds(list, `const mine = 1;\n${whole}`);
  await until('one hunk is left', async () => (await lens(page, 'Accept').count()) === 1);
  await window.runCommand('Folio: Bring Back Last Rejected Change');
  await untilHolds(list, `const mine = 1;\n${kept}`);
  await lens(page, 'Accept all 2').waitFor();

  await window.runCommand('Folio: Show File Changes');
  await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
  await page.locator('.monaco-diff-editor .editor.modified .codelens-decoration').first().waitFor();
  await window.screenshot('review-diff');
  await window.runCommand('Folio: Open Changes');
  await page.locator('.multiDiffEditor, .multi-diff-root-item-editor').first().waitFor();
  await until(
    'both files are shown',
    async () => (await page.locator('.multiDiffEntry .view-line').count()) > 0,
  );
  await window.screenshot('review-all');

  // The rest of the file is accepted by the button in the title, the other file rejected.
  await window.evaluate('openFile', list);
  await page.locator('.editor-actions [aria-label^="Accept File"]').first().click();
  await until(
    'no lens is left',
    async () => (await page.locator('.editor-instance .codelens-decoration').count()) === 0,
  );
  await window.evaluate('openFile', notes);
  await lens(page, 'Reject all').click();
  await untilHolds(notes, notesBefore);
  expect(await readFile(list, 'utf8')).toBe(`const mine = 1;\n${kept}`);
  expectPlayed(gemini);
});

test('a change that the user wrote into is undone only when they say so', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\ntwo\nthree\n' });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script([...overwrite('notes.txt', 'one\n2\nthree\n')], [text('Done.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Count.');
  await panel.getByText('Done.').waitFor();
  await window.evaluate('openFile', notes, 2, 2);
  await lens(page, 'Accept').waitFor();
  await focusEditor(page);
  await page.keyboard.type(' is mine');
  await page.locator('.codelens-decoration').getByText('edited by you').waitFor();
  await page.keyboard.press('Alt+x');
  const warning = page.locator('.notification-list-item').filter({ hasText: 'You edited this change' });
  await warning.waitFor();
  await window.screenshot('review-touched');
  await warning.getByRole('button', { name: 'Show in diff' }).click();
  await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
  await window.evaluate('openFile', notes, 2, 2);
  await focusEditor(page);
  await page.keyboard.press('Alt+x');
  await warning.getByRole('button', { name: 'Undo My Edits Too' }).click();
  await untilHolds(notes, 'one\ntwo\nthree\n');
});

test('other programs may write a file under review, and a prompt can be rewound with its files', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\ntwo\nthree\n' });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script([...overwrite('notes.txt', 'one\n2\nthree\n')], [text('Done.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Count.');
  await panel.getByText('Done.').waitFor();

  await window.evaluate('openFile', notes);
  await lens(page, 'Accept').waitFor();
  await writeFile(notes, 'zero\none\n2\nthree\n');
  await until('the lens has moved with the line', async () => {
    const lines = await page.locator('.editor-instance .view-line').allInnerTexts();
    return lines.some(line => line.includes('zero')) && (await lens(page, 'Accept').count()) === 1;
  });

  await window.runCommand('Folio: Rewind…');
  await page.locator('.quick-input-list [role="option"]').filter({ hasText: 'Count.' }).click();
  const both = page
    .locator('.quick-input-list [role="option"]')
    .filter({ hasText: 'Files and conversation' });
  await both.waitFor();
  await window.screenshot('rewind-scope');
  await both.click();
  await untilHolds(notes, 'zero\none\ntwo\nthree\n');
  await until('the prompt is in the composer again', async () =>
    (await panel.getByRole('textbox', { name: 'Ask Folio' }).inputValue()).includes('Count.'),
  );
  await window.runCommand('Folio: Undo Rewind');
  await untilHolds(notes, 'zero\none\n2\nthree\n');
  await lens(page, 'Accept').waitFor();
});

const middle = `// Old and unused.
export function middle(items) {
  return items[Math.floor(items.length / 2)];
}

`;

test('the first file that changes opens at its first change while the panel has the focus, and no editor is disturbed', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'list.js': listBefore, 'notes.txt': notesBefore });
  const gemini = await startGemini();
  const window = await open({
    settings: {
      'folio.baseUrl': gemini.baseUrl,
      'folio.approvalMode': 'autoEdit',
      'folio.review.openFirstChange': true,
    },
  });
  const { page } = window;
  const panel = await window.openPanel();
  gemini.script(
    [...overwrite('list.js', listAfter), ...overwrite('notes.txt', notesAfter)],
    [text('Both are done.')],
  );
  await ask(panel, 'Tidy up.');
  await panel.getByText('Both are done.').waitFor();
  await lens(page, 'Accept all 4').waitFor();
  await untilAtLine(page, 2);
  expect(await tabNames(window)).not.toContain('notes.txt');
  // The cursor is still where the next prompt is typed.
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  expect(await field.evaluate(element => element === document.activeElement)).toBe(true);

  // Who types in an editor when the next change comes keeps it.
  let goOn = () => {};
  const waits = waitFor(
    new Promise<void>(resolve => {
      goOn = resolve;
    }),
  );
  gemini.script([waits, ...overwrite('notes.txt', notesBefore)], [text('And back.')]);
  await ask(panel, 'Put the notes back.');
  await window.evaluate('openFile', join(folder, 'list.js'));
  await focusEditor(page);
  await until('the panel knows', () => panel.locator('body').evaluate(() => !document.hasFocus()));
  // What the extension host hears of the focus comes before what it hears of this key.
  await page.keyboard.press('Control+Home');
  await untilAtLine(page, 1);
  await page.keyboard.press('Alt+j');
  await untilAtLine(page, 2);
  goOn();
  await panel.getByText('And back.').waitFor();
  await untilHolds(join(folder, 'notes.txt'), notesBefore);
  expect(await tabNames(window)).not.toContain('notes.txt');
});

async function tabNames({ evaluate }: Workbench): Promise<readonly string[]> {
  return (await evaluate('listTabs')).map(({ label }) => label);
}
