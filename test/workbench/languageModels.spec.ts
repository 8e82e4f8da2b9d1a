import { expect } from 'vitest';
import { ask } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a model that another extension offers is picked, calls a tool and answers', async ({
  open,
  makeWorkspace,
}) => {
  await makeWorkspace({ 'note.txt': 'a note for the model' });
  const settings = { 'folio.provider': 'vscode' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  // Nobody offers a model yet; once somebody does, the panel knows without being asked.
  const missing = panel.getByText("VS Code's models are selected, but no extension offers one.");
  await missing.waitFor();
  await window.evaluate('offerLanguageModel', 'note.txt');
  await missing.waitFor({ state: 'detached' });

  // There is no key to set, and the way on is in the same place.
  await window.runCommand('Folio: Set API Key');
  const reported = window.page.locator('.monaco-dialog-box', { hasText: 'need no API key here' });
  await reported.getByRole('button', { name: 'Select model' }).click();
  await window.page
    .locator('.quick-input-list [role="option"]', { hasText: 'Reader (probe)' })
    .first()
    .click();

  await ask(panel, 'What does the note say?');
  await panel.getByText('The file says:').waitFor();
  await panel.getByText('a note for the model').first().waitFor();
  await window.screenshot('language-model');

  const requests = await window.evaluate('listModelRequests');
  expect(requests.length).toBe(2);
  expect(requests[0]?.tools).toContain('read_file');
  // Searching the web is no tool of these models.
  expect(requests[0]?.tools).not.toContain('google_web_search');
  expect(requests.map(({ calls }) => calls)).toEqual([[], ['probe-call']]);
  expect(requests[1]?.roles).toEqual([1, 2, 1]);

  // The extension goes away: one sentence says so.
  await window.evaluate('withdrawLanguageModel');
  await ask(panel, 'And now?');
  const failure = panel.getByRole('group', { name: /^Failed: / });
  await failure.waitFor();
  expect(await failure.textContent()).toContain('VS Code');
});
