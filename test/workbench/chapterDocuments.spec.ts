import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastPrompt, toolNames } from '../support/geminiServer.ts';
import { initRepository } from '../support/gitRepository.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('a session is exported and renamed, and becomes a commit message and a pull request', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  await initRepository(folder, { 'notes.txt': 'one\ntwo\n' });
  const gemini = await startGemini({ models: ['gemini-2.5-pro'] });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });

  await window.runCommand('Folio: Export Session');
  await notice(window, 'This session is empty.').waitFor();
  await window.runCommand('Folio: Draft PR Description');
  await notice(window, 'There is nothing to describe yet: no file has changed.').waitFor();

  await count(window, gemini);
  await rename(window);
  await exportSession(window, folder);
  await draftCommit(window, gemini);
  await draftPullRequest(window, gemini);
  expectPlayed(gemini);
});

/** One chapter with one edit. */
async function count(window: Workbench, gemini: GeminiServer): Promise<void> {
  gemini.script(
    [
      call('create_new_topic', { title: 'Counting' }),
      ...overwrite('notes.txt', '1\n2\n'),
      call('write_file', { file_path: 'more/new.txt', content: 'three\n' }),
    ],
    [text('Counted.')],
  );
  const panel = await window.openPanel();
  await ask(panel, 'Count these.');
  await button(panel, 'Accept').click();
  await panel.getByText('three').waitFor();
  await button(panel, 'Accept').click();
  await panel.getByText('Counted.').waitFor();
}

async function rename(window: Workbench): Promise<void> {
  await window.runCommand('Folio: Rename Chapter');
  await pick(window, '1. Counting');
  await input(window).fill('Numbers for words');
  await window.page.keyboard.press('Enter');
  await window.panel().getByRole('heading', { name: 'Numbers for words' }).waitFor();
}

async function exportSession(window: Workbench, folder: string): Promise<void> {
  await window.runCommand('Folio: Export Session');
  await pick(window, 'Markdown');
  const path = join(folder, 'count-these.md');
  await until('a name is proposed', async () => (await input(window).inputValue()) === path);
  await window.screenshot('export-session');
  await window.page.keyboard.press('Enter');
  await until('the document is open', async () => {
    const editors = await window.evaluate('listEditors');
    return editors.some(({ uri }) => uri.endsWith('count-these.md'));
  });
  const document = await readFile(path, 'utf8');
  expect(document).toContain('\n## 1. Numbers for words\n');
  expect(document).toContain('-one');
  expect(document).toContain('Counted.');
}

async function draftCommit(window: Workbench, gemini: GeminiServer): Promise<void> {
  const box = window.page.locator('.scm-editor');
  gemini.script([text('<commit_message>Count the notes</commit_message>')]);
  await window.runCommand('Draft Commit Message');
  await box.getByText('Count the notes').waitFor();
  await window.screenshot('draft-commit');
  const request = lastAsked(gemini);
  expect(toolNames(request)).toEqual([]);
  expect(lastPrompt(request)).toContain('1. Numbers for words');
  expect(lastPrompt(request)).toMatch(/^-one$/m);
  expect(lastPrompt(request)).toContain('New file, not tracked yet: count-these.md');
  expect(lastPrompt(request)).toContain('+++ b/more/new.txt');
  expect(lastPrompt(request)).toMatch(/^\+three$/m);

  gemini.script([text('<commit_message>Number the notes</commit_message>')]);
  await window.runCommand('Draft Commit Message');
  const dialog = window.page.getByRole('dialog');
  await dialog.getByText('The commit message box already contains text.').waitFor();
  expect(await box.getByText('Count the notes').count()).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await box.getByText('Number the notes').waitFor();
  const isInBox = () => window.page.evaluate(() => document.activeElement?.closest('.scm-editor') != null);
  await until('the message has the focus', isInBox);
}

async function draftPullRequest(window: Workbench, gemini: GeminiServer): Promise<void> {
  gemini.script([text('<pull_request>\nNumber the notes\n\nWords were too long.\n</pull_request>')]);
  await window.runCommand('Folio: Draft PR Description');
  await window.page.locator('.monaco-editor').getByText('Words were too long.').first().waitFor();
  await window.screenshot('draft-pull-request');
}

function notice({ page }: Workbench, sentence: string) {
  return page.locator('.notification-toast', { hasText: sentence });
}

function input({ page }: Workbench) {
  return page.locator('.quick-input-widget input').first();
}

async function pick({ page }: Workbench, label: string): Promise<void> {
  await page.locator(`.quick-input-list [role="option"][aria-label^="${label}"]`).first().click();
}
