/* Everyday tasks as a user does them: the keys, clicks and texts are what support/everydayTasks.ts says, and no more. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { lastPrompt } from '../support/geminiServer.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { CountedUser } from './support/countedUser.ts';
import { type EverydayTaskName, everydayTasks } from './support/everydayTasks.ts';
import { everything } from './support/everything.ts';
import {
  ask,
  button,
  expectPlayed,
  focusEditor,
  lastAsked,
  until,
  untilHolds,
} from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('first answer with a key', { tags: ['journey'] }, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({});
  const gemini = await startGemini({ apiKey: 'right' });
  gemini.script([text('Hello to you.')]);
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await openOwn({ folder, settings, env: { GEMINI_API_KEY: undefined } });
  const user = new CountedUser(window.page);
  const panel = window.panel();

  await user.press("Control+'");
  await user.click(panel.getByRole('button', { name: /^Gemini API key/ }));
  await window.page.locator('.quick-input-widget input[type="password"]').waitFor();
  await user.type('right');
  await user.press('Enter');
  await panel.getByText('Describe a task.', { exact: false }).waitFor();
  await send(user, panel, 'Say hello.');
  await panel.getByText('Hello to you.').waitFor();
  expectCount(user, 'firstAnswer');
  expectPlayed(gemini);
});

test('fix a failing test', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'sum.txt': 'one\n', 'tests.sh': 'grep -q 1 sum.txt\n' });
  const gemini = await startGemini();
  const run = call('run_shell_command', { command: 'sh tests.sh', description: 'Runs the tests' });
  gemini.script([run], overwrite('sum.txt', '1\n'), [run], [text('The test passes.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = window.panel();
  await window.evaluate('failTest', join(folder, 'sum.txt'), 'adds');
  await window.evaluate('executeCommand', 'workbench.view.testing.focus');
  const row = page.locator('.test-explorer .monaco-list-row', { hasText: 'adds' });
  await row.hover();

  const user = new CountedUser(page);
  await user.click(row.locator('[aria-label^="Fix Test with Folio"]'));
  await decideCard(user, panel, 'Run', 'Control+Enter');
  await decideCard(user, panel, 'Accept', 'Control+Enter');
  await decideCard(user, panel, 'Run', 'Control+Enter');
  await panel.getByText('The test passes.').waitFor();
  expect(await readFile(join(folder, 'sum.txt'), 'utf8')).toBe('1\n');
  expectCount(user, 'fixTest');
  expectPlayed(gemini);
});

test('accept all but one hunk', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': numbers('one', 'three', 'five') });
  const gemini = await startGemini();
  gemini.script(overwrite('notes.txt', numbers('1', '3', '5')), [text('Two are digits.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Write digits.');
  const choices = panel.getByRole('checkbox', { name: /^Take change/ });
  await choices.nth(2).waitFor();

  const user = new CountedUser(window.page);
  await user.click(choices.nth(1));
  await decideCard(user, panel, 'Accept 2 of 3', 'Control+Enter');
  await panel.getByText('Two are digits.').waitFor();
  await untilHolds(join(folder, 'notes.txt'), numbers('1', 'three', '5'));
  expectCount(user, 'allButOneHunk');
  expectPlayed(gemini);
});

test('undo the last prompt', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  gemini.script(overwrite('notes.txt', '1\n'), [text('It is a digit.')]);
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  await ask(panel, 'Write a digit.');
  await panel.getByText('It is a digit.').waitFor();
  await untilHolds(join(folder, 'notes.txt'), '1\n');

  const user = new CountedUser(window.page);
  await panel.locator('.prompt').hover();
  await user.click(button(panel, 'Rewind…'));
  await user.click(button(panel, 'Rewind'));
  await untilHolds(join(folder, 'notes.txt'), 'one\n');
  await until('the prompt is back', async () => (await promptField(panel).inputValue()) === 'Write a digit.');
  expectCount(user, 'undoPrompt');
  expectPlayed(gemini);
});

test('allow a command for good', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const touch = (name: string) =>
    call('run_shell_command', { command: `touch ${name}`, description: 'Makes it' });
  gemini.script([touch('one.txt')], [text('One is there.')], [touch('two.txt')], [text('Two is there.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Make one.');
  await button(panel, 'Always run touch *').waitFor();

  const user = new CountedUser(window.page);
  await decideCard(user, panel, 'Always run touch *', 'Control+Shift+Enter');
  await panel.getByText('One is there.').waitFor();
  expectCount(user, 'allowForGood');

  // Another session does not ask.
  await window.runCommand('Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  await ask(panel, 'Make two.');
  await panel.getByText('Two is there.').waitFor();
  expect(existsSync(join(folder, 'two.txt'))).toBe(true);
  expectPlayed(gemini);
});

test('attach a selection', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one sheep\ntwo sheep\nthree sheep\n' });
  const gemini = await startGemini();
  gemini.script([text('A sheep.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  await window.evaluate('openFile', join(folder, 'notes.txt'));
  await window.evaluate('selectLines', join(folder, 'notes.txt'), 2, 2);
  await focusEditor(window.page);

  const user = new CountedUser(window.page);
  const panel = window.panel();
  await user.press("Control+Shift+'");
  await panel.locator('.chip:not(.offered)', { hasText: 'notes.txt:2' }).waitFor();
  await send(user, panel, 'What is this?');
  await panel.getByText('A sheep.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents?.at(-1))).toContain('two sheep');
  expectCount(user, 'attachSelection');
  expectPlayed(gemini);
});

test('switch the model', async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini({ models: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-9-nano'] });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const picker = panel.getByRole('combobox', { name: 'Model' });
  await picker.getByRole('option', { name: /Flash/ }).first().waitFor({ state: 'attached' });

  const user = new CountedUser(window.page);
  await user.click(picker);
  await user.click(picker.getByRole('option', { name: /2\.5 Flash$/ }).first());
  await until(
    'the panel shows it',
    async () => (await picker.getAttribute('title')) === 'Model: Gemini 2.5 Flash',
  );
  expectCount(user, 'switchModel');
});

test("find last week's session", async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  for (const [prompt, answer] of [
    ['Why is the linter slow?', 'It reads too much.'],
    ['Why do sheep sleep?', 'They are tired.'],
    ['Why is the sky blue?', 'It scatters light.'],
  ] as const) {
    gemini.script([text(answer)]);
    await ask(panel, prompt);
    await panel.getByText(answer).waitFor();
    await window.runCommand('Folio: New Session');
    await panel.getByText('Describe a task.').waitFor();
  }

  const user = new CountedUser(window.page);
  await user.click(window.page.locator('.actions-container [aria-label^="Session History"]').first());
  await panel.locator('.search-field input:focus').waitFor();
  await user.type('linter');
  await user.press('Enter');
  await panel.getByText('It reads too much.').waitFor();
  expectCount(user, 'findSession');
});

test('add an MCP server', async ({ open, makeWorkspace, startGemini }) => {
  // Behind the shell that notes its starts.
  const program = everything('').args.slice(3).join(' ');
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  await window.evaluate('executeCommand', 'workbench.view.explorer');

  const user = new CountedUser(window.page);
  const panel = window.panel();
  await user.press("Control+'");
  await send(user, panel, `/mcp add -s project everything ${program}`);
  await until('it is written down', () => existsSync(join(folder, '.gemini', 'settings.json')));
  expectCount(user, 'addServer');
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server.mcp-ready', { hasText: 'everything' }).waitFor();
});

test('plan, then build', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  gemini.script(
    [call('exit_plan_mode', { title: 'Write a digit', plan: 'Write 1 in place of one.' })],
    overwrite('notes.txt', '1\n'),
    [text('It is built.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const user = new CountedUser(window.page);
  const panel = window.panel();

  await user.press("Control+'");
  await send(user, panel, '/plan Write a digit.');
  await decideCard(user, panel, 'Approve, ask each time', 'Control+Enter');
  await decideCard(user, panel, 'Accept', 'Control+Enter');
  await panel.getByText('It is built.').waitFor();
  await untilHolds(join(folder, 'notes.txt'), '1\n');
  expectCount(user, 'planAndBuild');
  expectPlayed(gemini);
});

test('compress', async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  gemini.script(
    [call('create_new_topic', { title: 'Counting sheep' })],
    [text(`There are 4711 sheep. ${meadows(400)}`)],
    [call('create_new_topic', { title: 'Counting cows' })],
    [text('Three cows.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Count the sheep.');
  await panel.getByText('There are 4711 sheep.').waitFor();
  await ask(panel, 'Count the cows.');
  await panel.getByText('Three cows.').waitFor();
  await button(panel, 'Edit and resend').last().waitFor();

  gemini.script([text(snapshot)], [text(snapshot)]);
  const user = new CountedUser(window.page);
  await promptField(panel).focus();
  await send(user, panel, '/compress now');
  await button(panel, 'Undo the compression').waitFor();
  expectCount(user, 'compress');
});

test('commit with a message from chapters', async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  await initRepository(folder, { 'notes.txt': 'one\n' });
  await git(folder, 'config', 'user.name', 'Test');
  await git(folder, 'config', 'user.email', 'test@example.invalid');
  const gemini = await startGemini();
  gemini.script(
    [call('create_new_topic', { title: 'Numbers for words' }), ...overwrite('notes.txt', '1\n')],
    [text('Counted.')],
  );
  const settings = {
    'folio.baseUrl': gemini.baseUrl,
    'folio.approvalMode': 'autoEdit',
    'git.enableSmartCommit': true,
  };
  const window = await open({ settings });
  const panel = await window.openPanel();
  await ask(panel, 'Count these.');
  await panel.getByText('Counted.').waitFor();

  gemini.script([text('<commit_message>Count the notes</commit_message>')]);
  const { page } = window;
  const user = new CountedUser(page);
  await user.press('Control+Shift+G');
  await page.locator('.scm-view .monaco-list-row', { hasText: 'notes.txt' }).waitFor();
  await user.click(
    page
      .locator(
        '.scm-view [aria-label^="Draft Commit Message"], .pane-header [aria-label^="Draft Commit Message"]',
      )
      .first(),
  );
  await page.locator('.scm-editor').getByText('Count the notes').waitFor();
  await user.click(page.locator('.scm-view .monaco-button', { hasText: 'Commit' }).first());
  await until('it is committed', async () =>
    (await git(folder, 'log', '--format=%s', '-1')).includes('Count the notes'),
  );
  expect(lastPrompt(lastAsked(gemini))).toContain('Numbers for words');
  expectCount(user, 'commit');
});

function expectCount(user: CountedUser, name: EverydayTaskName): void {
  expect(user.count).toEqual(everydayTasks[name].count);
}

function promptField(panel: FrameLocator) {
  return panel.getByRole('textbox', { name: 'Ask Folio' });
}

/** From a prompt that has the focus, or gets it by what was pressed before. */
async function send(user: CountedUser, panel: FrameLocator, prompt: string): Promise<void> {
  await panel.locator('textarea.prompt-field:focus').waitFor();
  await user.type(prompt);
  await until('the prompt is typed', async () => (await promptField(panel).inputValue()) === prompt);
  await user.press('Enter');
}

/** By a key, once it may count. */
async function decideCard(
  user: CountedUser,
  panel: FrameLocator,
  label: string,
  chord: string,
): Promise<void> {
  await panel
    .locator('[data-ask]:not([aria-disabled])')
    .getByRole('button', { name: label, exact: true })
    .waitFor();
  await user.press(chord);
}

/** Three hunks apart from each other. */
function numbers(...words: readonly [string, string, string]): string {
  return words.map(word => `${word}\nsheep\ngoats\ncows\npigs\nhens\ngeese\nducks\n`).join('');
}

/** No two sentences alike, since the agent would take them for a loop. */
function meadows(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${index + 1} sheep graze on the northern meadow. `,
  ).join('');
}

const snapshot = `<state_snapshot>
<overall_goal>
The sheep are to be counted.
</overall_goal>
<key_knowledge>4711 sheep stand on the northern meadow.</key_knowledge>
</state_snapshot>`;
