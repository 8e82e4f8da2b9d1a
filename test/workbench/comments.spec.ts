import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { toolNames } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, focusEditor, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';

test('comments are written by key on changed lines, sent as one prompt, answered in place, and resolved by a change', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'nothing\n' });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script([...overwrite('notes.txt', before)], [text('Counted.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  let panel = await window.openPanel();
  await ask(panel, 'Count.');
  await panel.getByText('Counted.').waitFor();
  expect(toolNames(lastAsked(gemini))).not.toContain('answer_comment');

  await window.evaluate('openFile', notes, 2);
  await comment(window, 'Say it in German.');
  await panel.getByText('1 open comment').waitFor();
  await window.evaluate('openFile', notes, 4);
  await comment(window, 'Why not five?');
  await panel.getByText('2 open comments').waitFor();
  await window.screenshot('comments-open');

  // They move with the text, and a reload keeps them.
  await window.evaluate('openFile', notes);
  await focusEditor(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('zero\n');
  await until('the typing is saved', async () => {
    await page.keyboard.press('Control+s');
    return (await readFile(notes, 'utf8')) === `zero\n${before}`;
  });
  await window.reload();
  panel = await window.openPanel();
  await panel.getByText('2 open comments').waitFor();

  const german = { file_path: 'notes.txt', instruction: 'German', old_string: 'two', new_string: 'zwei' };
  gemini.script(
    [call('replace', german), call('answer_comment', { number: 2, text: 'Four follows three.' })],
    [text('Both are settled.')],
  );
  await window.evaluate('openFile', notes, 5);
  await focusEditor(page);
  await page.keyboard.press('Alt+m');
  await panel.getByText('Both are settled.').waitFor();
  const sent = JSON.stringify(gemini.requests.map(({ body }) => body.contents));
  expect(sent).toContain('Comment 1, notes.txt, line 3:\\n```\\ntwo\\n```\\nSay it in German.');
  expect(sent).toContain('Comment 2, notes.txt, line 5:\\n```\\nfour\\n```\\nWhy not five?');
  // Not on the disk: after the reload VS Code may hold what was typed for unsaved.
  const { text: written } = await window.evaluate('readDocument', notes);
  expect(written).toContain('zwei');
  await until('no comment is open', async () => (await button(panel, 'Send').count()) === 0);

  await window.runCommand('Comments: Focus on Comments View');
  const rows = page.locator('.comments-panel .monaco-list-row');
  const threads = page.locator('.review-widget');
  await rows.filter({ hasText: 'Say it in German.' }).first().click();
  await threads.filter({ hasText: 'Comment 1: resolved by a change' }).waitFor();
  await rows.filter({ hasText: 'Why not five?' }).first().click();
  const answered = threads.filter({ hasText: 'Comment 2: answered' });
  await answered.filter({ hasText: 'Four follows three.' }).filter({ hasText: 'Folio' }).waitFor();
  await window.screenshot('comments-answered');
  expectPlayed(gemini);
});

test('a line of a plan is commented on, and the agent answers there', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'a.txt': 'alpha\n' });
  const gemini = await startGemini();
  gemini.script(
    [call('exit_plan_mode', { title: 'Rename alpha', plan: 'Write beta.\n\nRun the tests.' })],
    [call('answer_comment', { number: 1, text: 'The unit tests.' })],
    [text('Said in the plan.')],
  );
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'plan' },
  });
  const panel = await window.openPanel();
  await ask(panel, 'Plan it');
  await button(panel, 'Approve, ask each time').waitFor();
  const planUri = async () =>
    (await window.evaluate('listEditors')).find(({ uri }) => uri.endsWith('-rename-alpha.md'))?.uri;
  await until('the plan is open', async () => (await planUri()) !== undefined);
  const path = new URL((await planUri())!).pathname;
  const { text: plan } = await window.evaluate('readDocument', path);
  const line = plan.split('\n').findIndex(each => each.includes('Run the tests.')) + 1;
  await window.evaluate('openFile', path, line);
  await comment(window, 'Which ones?');
  await panel.getByText('1 open comment').waitFor();
  // The agent waits for a decision about the plan: comments go with what is said to it.
  await button(panel, 'Send').first().click();
  await button(panel, 'Send back…').click();
  await button(panel, 'Send back').click();
  await panel.getByText('Said in the plan.').waitFor();
  expect(JSON.stringify(gemini.requests.map(({ body }) => body.contents))).toContain(
    'Comment 1, plan 1-rename-alpha.md, line 5:\\n```\\nRun the tests.\\n```\\nWhich ones?',
  );
  await window.runCommand('Comments: Focus on Comments View');
  const { page } = window;
  await page.locator('.comments-panel .monaco-list-row').filter({ hasText: 'Which ones?' }).first().click();
  await page.locator('.review-widget').filter({ hasText: 'The unit tests.' }).first().waitFor();
  await window.screenshot('comments-plan');
  expectPlayed(gemini);
});

/** Writes and keeps a comment by keyboard, on the line of the cursor. */
async function comment({ page }: Workbench, said: string): Promise<void> {
  await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
  const form = page.locator('.review-widget .monaco-editor.focused').first();
  await until('a comment can be written', async () => {
    if (!(await form.isVisible())) {
      // VS Code may not know yet that this file can be commented on; then the key does nothing.
      await page.keyboard.press('Alt+c');
    }
    return form.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  });
  await page.keyboard.type(said);
  await page.keyboard.press('Control+Enter');
  await page.locator('.review-widget .comment-body').filter({ hasText: said }).first().waitFor();
}
