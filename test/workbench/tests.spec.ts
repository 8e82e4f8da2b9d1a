import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('tests that an extension offers run through the Testing of VS Code, and their failures are told', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'sums.txt': 'sums\nadds\ntakes\n' });
  const gemini = await startGemini();
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'default' },
  });
  const panel = await window.openPanel();
  await window.evaluate('offerTests', join(folder, 'sums.txt'));
  await until('VS Code knows the tests', async () => {
    const known = await window.evaluate('executeCommand', 'vscode.testing.getControllersWithTests');
    return Array.isArray(known) && known.length > 0;
  });
  // A turn goes by what the window said last, and asks it for the next one.
  gemini.script([text('Hello.')]);
  await ask(panel, 'Hello');
  await panel.getByText('Hello.', { exact: true }).waitFor();
  gemini.script(
    [call('run_tests', { file_path: 'sums.txt', list: true })],
    [call('run_tests', {})],
    [call('run_tests', { file_path: 'sums.txt', name: 'takes' })],
    [text('One fails.')],
  );
  await ask(panel, 'Do the tests pass?');
  for (const words of [
    'VS Code lists',
    'VS Code runs the tests of the workspace',
    'Only tests named takes are reported',
  ]) {
    await panel.getByText(words).first().waitFor();
    await window.screenshot('tests');
    await button(panel, 'Allow').click();
  }
  await panel.getByText('One fails.', { exact: true }).waitFor();
  const [listed, ran, named] = asked(gemini)
    .slice(2)
    .map(request => lastResults(request)[0]?.output);
  expect(ran).toMatch(/^1 passed, 1 failed\./);
  expect(ran).toContain('sums > adds (sums.txt:8)\n');
  expect(ran).toContain('Expected: 3\nReceived: 2');
  expect(named).toBe('1 passed.');
  expect(listed).toContain('suite-1');
  expectPlayed(gemini);
});
