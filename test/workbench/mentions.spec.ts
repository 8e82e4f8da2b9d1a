import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { text } from '../support/geminiAnswers.ts';
import { lastPrompt } from '../support/geminiServer.ts';
import { initRepository } from '../support/gitRepository.ts';
import {
  asked,
  button,
  completions,
  expectPlayed,
  lastAsked,
  runInTerminal,
  until,
} from './support/panelActions.ts';
import { type MakeWorkspace, test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('what a prompt names is completed, read before its only request, and shown under it', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeProject(makeWorkspace);
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await window.evaluate('openFile', join(folder, 'sums.ts'));
  await until('the problem is found', async () => {
    const found = await window.evaluate('readDiagnostics', join(folder, 'sums.ts'));
    return found.length > 0;
  });
  expect(await runInTerminal(window, 'sleep 1; echo $((6 * 7)) sheep in the terminal')).toContain('42 sheep');

  await window.runCommand('Folio: Focus Panel');
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await complete(window, panel, field);

  gemini.script([text('All read.')]);
  await field.fill(
    'Compare @notes.txt with @symbol:computeSum, @terminal, @diff, @problems, @src and @dist/bundle.js',
  );
  await window.page.keyboard.press('End');
  // The list is closed first, so that Enter sends.
  await window.page.keyboard.press('Escape');
  await field.press('Enter');
  await panel.getByText('All read.').waitFor();

  expect(asked(gemini)).toHaveLength(1);
  const sent = JSON.stringify(lastAsked(gemini).body.contents?.at(-1));
  expect(sent).toContain('two sheep, changed');
  expect(sent).toContain('first + second');
  expect(sent).toContain('42 sheep in the terminal');
  expect(sent).toContain('-one sheep');
  expect(sent).toMatch(/not assignable/);
  expect(sent).toContain('the words of a deep file');
  expect(sent).not.toContain('bundled words');

  const chips = panel.locator('.prompt .chip');
  expect(await chips.count()).toBe(6);
  await panel.locator('.mention-trouble').getByText('Excluded by .gitignore').waitFor();
  await window.screenshot('mentions');
  await chips.first().getByRole('button').click();
  await until('the file is open', async () => {
    const editors = await window.evaluate('listEditors');
    return editors.some(({ uri, isActive }) => isActive && uri.endsWith('notes.txt'));
  });
  expectPlayed(gemini);
});

test('a file is dropped from the explorer and an image is pasted', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'notes.txt': 'one sheep\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await moveToOtherSide(window);
  const panel = window.panel();
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });

  await copyImage(window);
  await field.focus();
  await window.page.keyboard.press('Control+V');
  await button(panel, 'Remove image.png').waitFor();
  await dragFromExplorer(window, 'notes.txt', panel.locator('.composer'));
  await until('the file is named', async () => (await field.inputValue()).includes('@notes.txt'));
  await window.screenshot('dropped-and-pasted');
  gemini.script([text('Seen.')]);
  await field.press('Enter');
  await panel.getByText('Seen.').waitFor();
  await window.screenshot('dropped-and-pasted-sent');

  expect(asked(gemini)).toHaveLength(1);
  const parts = JSON.stringify(lastAsked(gemini).body.contents?.at(-1)?.parts);
  expect(parts).toContain('image/png');
  expect(parts).toContain('one sheep');
  expect(lastPrompt(lastAsked(gemini))).toContain('notes.txt');
  expectPlayed(gemini);
});

/** Under Git, with a change, a problem, a symbol, a folder and something ignored. */
async function makeProject(makeWorkspace: MakeWorkspace): Promise<string> {
  const folder = await makeWorkspace({
    'src/deep/words.txt': 'the words of a deep file\n',
    'dist/bundle.js': 'bundled words\n',
  });
  await initRepository(folder, {
    '.gitignore': 'dist/\n',
    'notes.txt': 'one sheep\n',
    'sums.ts': sums,
  });
  await writeFile(join(folder, 'notes.txt'), 'two sheep, changed\n');
  return folder;
}

const sums = `export function computeSum(first: number, second: number): number {
  return first + second;
}

export const wrong: number = 'one';
`;

/** What each letter of a mention leads to. */
async function complete(window: Workbench, panel: FrameLocator, field: Locator): Promise<void> {
  const { keyboard } = window.page;
  const option = (name: RegExp) => completions(panel, name);
  await field.focus();
  await until('the cursor is in the composer', () =>
    field.evaluate(it => it === document.activeElement && document.hasFocus()),
  );
  await keyboard.type('@');
  for (const name of [/^problems/, /^terminal/, /^diff/, /^symbol:/, /^notes\.txt/, /^src\//]) {
    await option(name).waitFor();
  }
  await window.screenshot('completion');
  await keyboard.type('words');
  await option(/words\.txt/).waitFor();
  await keyboard.press('Tab');
  await until('the file is named', async () => (await field.inputValue()) === '@src/deep/words.txt ');
  await keyboard.type('@symbol:compu');
  await option(/computeSum.*function in sums\.ts/i).waitFor();
  await window.screenshot('completion-symbol');
  await keyboard.press('Enter');
  const both = '@src/deep/words.txt @symbol:computeSum ';
  await until('the symbol is named', async () => (await field.inputValue()) === both);
  await keyboard.type('@dist/b');
  await option(/bundle\.js.*ignored/).waitFor();
  await window.screenshot('completion-ignored');
  await keyboard.press('Escape');
  await field.fill('');
}

/** As another program would put it on the clipboard. */
async function copyImage({ page }: Workbench): Promise<void> {
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 40;
    canvas.height = 20;
    canvas.getContext('2d')!.fillRect(0, 0, 20, 20);
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/png'));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob! })]);
  });
}

/** Folio and the explorer share a side bar until one of them moves. */
async function moveToOtherSide(window: Workbench): Promise<void> {
  await window.openPanel();
  await window.evaluate('executeCommand', 'vscode.moveViews', {
    viewIds: ['folio.panel'],
    destinationId: 'workbench.panel.chat',
  });
  // VS Code remembers for all windows of a browser where views are.
  onTestFinished(async () => {
    await window.evaluate('executeCommand', 'workbench.action.resetViewLocations');
  });
  await window.evaluate('executeCommand', 'workbench.view.explorer');
}

/** With Shift, without which VS Code lets nothing fall into a web page. */
async function dragFromExplorer({ page }: Workbench, name: string, onto: Locator): Promise<void> {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const from = (await row.boundingBox())!;
  const to = (await onto.boundingBox())!;
  await page.mouse.move(from.x + 30, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 40, { steps: 5 });
  await page.keyboard.down('Shift');
  await page.mouse.move(to.x + to.width / 2, to.y + 10, { steps: 10 });
  await page.mouse.move(to.x + to.width / 2, to.y + 14, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
}
