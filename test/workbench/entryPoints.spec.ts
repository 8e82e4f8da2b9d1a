import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { initRepository } from '../support/gitRepository.ts';
import {
  button,
  expectPlayed,
  focusEditor,
  lastAsked,
  reported,
  runInTerminal,
  until,
} from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const problematic = "export const count: number = 'one';\nexport const other = 2;\n";

test('a problem becomes a reviewed change by two keys, and the lightbulb and the selection lead there, too', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
    'main.ts': problematic,
  });
  const gemini = await startGemini();
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const main = join(folder, 'main.ts');
  await window.evaluate('openFile', main, 1, 1);
  await focusEditor(page);
  await until('TypeScript has found the problem', async () =>
    (await window.evaluate('readDiagnostics', main)).some(({ line }) => line === 1),
  );

  gemini.script(
    [
      call('replace', {
        file_path: 'main.ts',
        instruction: 'Make it a number.',
        old_string: "'one'",
        new_string: '1',
      }),
    ],
    [text('It is a number now.')],
  );
  await page.keyboard.press('Control+Alt+.');
  const panel = window.panel();
  await panel.getByText('It is a number now.').waitFor();
  const sent = JSON.stringify(gemini.requests.map(({ body }) => body));
  expect(sent).toContain('- Line 1: error (ts 2322): `Type');
  expect(sent).toContain('Selected in main.ts, lines 1 to 2:');
  await window.evaluate('openFile', main, 1, 1);
  await focusEditor(page);

  await until('TypeScript sees that the problem is gone', async () => {
    return (await window.evaluate('readDiagnostics', main)).length === 0;
  });

  // A little after the caret has moved VS Code looks for actions automatically, and drops a menu that a key has asked for
  // in the meantime. The lightbulb shows that it has looked, and what it found. Over the first line, with words below
  // it, the bulb would stand beside the line numbers: it is not the one of before.
  const bulb = page.locator('.lightBulbWidget').filter({ visible: true });
  const menu = page.locator('.action-widget');
  gemini.script([text('Two is enough.')]);
  await window.evaluate('selectLines', main, 2, 2);
  await bulb.click();
  await menu.getByText('Write Tests with Folio').waitFor();
  await menu.getByText('Document with Folio').waitFor();
  await window.screenshot('ways-lightbulb');
  await menu.getByText('Explain with Folio').click();
  await panel.getByText('Two is enough.').waitFor();
  expect(lastPrompt(gemini)).toContain('Explain the selected code.');
  expect(lastPrompt(gemini)).toContain('export const other = 2;');

  gemini.script([text('It is documented.')]);
  // The same selection would leave the bulb of before.
  await window.evaluate('selectLines', main, 1, 1);
  await window.evaluate('selectLines', main, 2, 2);
  await bulb.click();
  await menu.getByText('Document with Folio').click();
  await panel.getByText('It is documented.').waitFor();
  expect(lastPrompt(gemini)).toContain('Document the selected code');
  expect(lastPrompt(gemini)).toContain('export const other = 2;');

  // The chip says which lines go along, and keeps them when it is pressed.
  await panel.locator('.chip.offered', { hasText: 'main.ts:2' }).click();
  await button(panel, 'Remove main.ts:2').click();

  gemini.script([text('Three it is.')]);
  await window.evaluate('selectLines', main, 2, 2);
  await focusEditor(page);
  // The field opens at the code, and has the focus; what is typed there goes by Enter, and Escape takes it away.
  const atLine = page.locator('.review-widget');
  const untilAtLine = () =>
    until('the field at the line has the focus', () =>
      page.evaluate(() => document.activeElement?.closest('.review-widget') !== null),
    );
  await page.keyboard.press("Control+Alt+'");
  await untilAtLine();
  await page.keyboard.press('Escape');
  await atLine.waitFor({ state: 'detached' });
  await focusEditor(page);
  await page.keyboard.press("Control+Alt+'");
  await untilAtLine();
  await page.keyboard.type('Make it three');
  await window.screenshot('ways-edit');
  await page.keyboard.press('Enter');
  await panel.getByText('Three it is.').waitFor();
  await atLine.waitFor({ state: 'detached' });
  expect(lastPrompt(gemini)).toContain('Make it three');
  expect(lastPrompt(gemini)).toContain('export const other = 2;');
  expectPlayed(gemini);
});

test('explorer, keys, terminals, conflicts and links lead into the panel, and what a link brings is not sent', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({
    'notes.txt': 'one\n',
    'deep/words.txt': 'two\n',
    'merge.txt': '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> feature/tax\n',
  });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;

  await window.evaluate('executeCommand', 'workbench.view.explorer');
  await addFromExplorer(window, 'notes.txt');
  const panel = window.panel();
  await panel.locator('.chip', { hasText: 'notes.txt' }).first().waitFor();
  await window.evaluate('executeCommand', 'workbench.view.explorer');
  await addFromExplorer(window, 'deep');
  await untilDraft(panel, '@deep/');

  await field(panel).fill('');
  await window.evaluate('executeCommand', 'folio.send', { prompt: 'Left here.', draft: true });
  await untilDraft(panel, 'Left here.');
  await field(panel).fill('');
  gemini.script([text('Sent by key.')]);
  await window.evaluate('executeCommand', 'folio.send', { prompt: 'Say it.' });
  await panel.getByText('Sent by key.').waitFor();
  // What is being written in the panel stays there, with what is attached to it.
  expect(lastPrompt(gemini)).toContain('Say it.');
  expect(lastPrompt(gemini)).not.toContain('The user points to');
  await panel.locator('.chip', { hasText: 'notes.txt' }).first().waitFor();
  await window.evaluate('executeCommand', 'folio.send', 'Say it.');
  await reported(window, 'folio.send takes');

  gemini.script([text('Both are kept.')]);
  await window.evaluate('openFile', join(folder, 'merge.txt'));
  await window.evaluate('executeCommand', 'folio.resolveConflicts');
  await panel.getByText('Both are kept.').waitFor();
  expect(lastPrompt(gemini)).toContain('- @merge.txt has 1 conflict between `HEAD` and `feature/tax`.');

  gemini.script([text('Nothing is missing.')]);
  await window.evaluate('executeCommand', 'folio.reviewChanges');
  await panel.getByText('Nothing is missing.').waitFor();
  expect(lastPrompt(gemini)).toContain('Review my changes that are not committed');

  const link = await page.context().newPage();
  await link.goto(await window.evaluate('linkAddress', 'folio.folio/prompt?text=Fix%20the%20tests'));
  await untilDraft(panel, 'Fix the tests');
  await panel.getByText('This prompt came from a link. Read it before you send it.').waitFor();
  await link.close();
  await window.screenshot('ways-link');
  await button(panel, 'Send (Enter)').waitFor();
  expectPlayed(gemini);
});

test('a tab, source control, a terminal, and keys and tasks of the user lead there, too', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ '.vscode/tasks.json': JSON.stringify(askingTask) });
  await initRepository(folder, { 'notes.txt': 'one\n' });
  await writeFile(join(folder, 'notes.txt'), 'two\n');
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = window.panel();

  await window.evaluate('openFile', join(folder, 'notes.txt'));
  await choose(window, page.locator('.tabs-container .tab', { hasText: 'notes.txt' }), 'Add to Folio Prompt');
  await panel.locator('.chip', { hasText: 'notes.txt' }).first().waitFor();
  await button(panel, 'Remove notes.txt').click();

  gemini.script([text('One became two.')]);
  await window.evaluate('executeCommand', 'workbench.view.scm');
  await page.locator('.scm-view .monaco-list-row', { hasText: 'notes.txt' }).waitFor();
  await page
    .locator('.pane-header', { hasText: 'Changes' })
    .getByRole('button', { name: /^(Views and )?More Actions/ })
    .click();
  await window.screenshot('ways-scm');
  await takeEntry(window, 'Review My Changes');
  await panel.getByText('One became two.').waitFor();
  expect(lastPrompt(gemini)).toContain('Review my changes that are not committed');

  await runInTerminal(window, 'sleep 1; ls no-such-file');
  gemini.script([text('It is called otherwise.')]);
  await choose(window, page.locator('.xterm-screen'), 'Fix Failed Terminal Command');
  await panel.getByText('It is called otherwise.').waitFor();
  expect(lastPrompt(gemini)).toContain('ls no-such-file');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // VS Code knows of what is selected once the mouse has selected it.
  await selectByMouse(window, page.locator('.xterm-rows > div', { hasText: 'cannot access' }));
  await choose(window, page.locator('.xterm-screen'), 'Add Terminal Selection to Folio Prompt');
  await until('what the terminal shows is being written', async () =>
    (await field(panel).inputValue()).includes('cannot access'),
  );
  await field(panel).fill('');

  // The extension of these tests has bound the key.
  gemini.script([text('By a key.')]);
  await page.keyboard.press('Control+Alt+9');
  await panel.getByText('By a key.', { exact: true }).waitFor();
  expect(lastPrompt(gemini)).toContain('Say how you were asked.');

  gemini.script([text('By a task.')]);
  await window.evaluate('executeCommand', 'workbench.action.tasks.runTask', 'Ask Folio');
  await panel.getByText('By a task.', { exact: true }).waitFor();
  expect(lastPrompt(gemini)).toContain('Say who asked you.');
  expectPlayed(gemini);
});

test('a failed test and a program that the debugger has stopped are sent with what is known of them', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'sum.ts': 'export const sum = 2;\nthrow sum;\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = window.panel();
  const path = join(folder, 'sum.ts');

  gemini.script([text('The test was wrong.')]);
  await window.evaluate('failTest', path, 'adds');
  await window.evaluate('executeCommand', 'workbench.view.testing.focus');
  await choose(
    window,
    page.locator('.test-explorer .monaco-list-row', { hasText: 'adds' }),
    'Fix Test with Folio',
  );
  await panel.getByText('The test was wrong.').waitFor();
  expect(lastPrompt(gemini)).toContain('The test `adds` (sum.ts, line 1) fails.');

  gemini.script([text('Mended.')]);
  await window.evaluate('debugFailing', path);
  await window.evaluate('executeCommand', 'workbench.view.debug');
  await page.locator('.debug-call-stack .monaco-list-row', { hasText: 'sum' }).first().waitFor();
  await window.screenshot('ways-stopped');
  await window.runCommand('Fix Current Exception');
  await panel.getByText('Mended.').waitFor();
  expect(lastPrompt(gemini)).toContain('The program has stopped at `RangeError: too many`.');
  expect(lastPrompt(gemini)).toContain('- `sum` in `sum.ts`, line 2');
  expect(lastPrompt(gemini)).toContain('- `count` is `@.env 41`');
  expectPlayed(gemini);
});

const askingTask = {
  version: '2.0.0',
  inputs: [{ id: 'asked', type: 'command', command: 'folio.send', args: { prompt: 'Say who asked you.' } }],
  tasks: [{ label: 'Ask Folio', type: 'shell', command: '${input:asked}', problemMatcher: [] }],
};

async function addFromExplorer(window: Workbench, name: string): Promise<void> {
  const row = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  await choose(window, row, 'Add to Folio Prompt');
}

async function selectByMouse({ page }: Workbench, line: Locator): Promise<void> {
  const box = await line.boundingBox();
  if (!box) throw new Error('The line is not in view.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
  await page.mouse.up();
}

/** From the menu of a row. */
async function choose(window: Workbench, row: Locator, title: string): Promise<void> {
  await row.click({ button: 'right' });
  await takeEntry(window, title);
}

/** From the menu that is open. */
async function takeEntry({ page }: Workbench, title: string): Promise<void> {
  // The release of a button right after a menu has opened belongs to the press that opened it.
  await page.locator('.monaco-menu .action-label', { hasText: title }).hover();
  await page.keyboard.press('Enter');
}

function field(panel: FrameLocator) {
  return panel.getByRole('textbox', { name: 'Ask Folio' });
}

async function untilDraft(panel: FrameLocator, draft: string): Promise<void> {
  await until(`"${draft}" is being written`, async () => (await field(panel).inputValue()).trim() === draft);
}

function lastPrompt(gemini: GeminiServer): string {
  return JSON.stringify(lastAsked(gemini).body.contents?.at(-1) ?? {}).replaceAll('\\n', '\n');
}
