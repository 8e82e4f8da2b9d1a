import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a plan opens beside, is sent back, is changed without saving, and what stands there is approved', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({ 'a.txt': 'alpha\n' });
  const gemini = await startGemini();
  gemini.script(
    [call('exit_plan_mode', { title: 'Rename alpha', plan: 'Write beta.' })],
    [call('exit_plan_mode', { title: 'Rename alpha', plan: 'Write beta, then test.' })],
    [text('Now I carry it out.')],
  );
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'plan' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  const plans = async () =>
    (await window.evaluate('listTabs')).filter(({ label }) => label.endsWith('-rename-alpha.md'));
  await ask(panel, 'Plan it');

  await button(panel, 'Approve, ask each time').waitFor();
  await until('the plan is open', async () => (await plans()).length === 1);
  expect((await plans())[0]?.label).toBe('1-rename-alpha.md');
  await button(panel, 'Send back…').click();
  await panel.getByRole('textbox', { name: 'Remarks, optional' }).fill('And the tests?');
  await button(panel, 'Send back').click();

  await until('the second plan has taken the tab of the first', async () => {
    return (await plans()).map(({ label }) => label).join() === '2-rename-alpha.md';
  });
  expect(lastResults(asked(gemini).at(-1)!)[0]?.error).toContain('They said: And the tests?');
  const [editor] = (await window.evaluate('listEditors')).filter(({ uri }) =>
    uri.endsWith('-rename-alpha.md'),
  );
  const path = new URL(editor!.uri).pathname;
  await window.evaluate('insertText', path, 3, 'Read it first. ');
  expect((await window.evaluate('readDocument', path)).isDirty).toBe(true);
  await panel.getByText('Read it first. Write beta, then test.').waitFor();
  await window.screenshot('plan');
  await button(panel, 'Approve, ask each time').click();

  await panel.getByText('Now I carry it out.').waitFor();
  expect(lastResults(asked(gemini).at(-1)!)[0]?.output).toContain('Read it first. Write beta, then test.');
  await until('the tab of the approved plan has gone', async () => (await plans()).length === 0);
  expect(await readFile(path, 'utf8')).toContain('Read it first. Write beta, then test.');
  expectPlayed(gemini);
});
