import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a user decides on the tools of other extensions and of VS Code', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const gemini = await startGemini();
  await makeWorkspace({ 'a.txt': 'alpha\n' });
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.useVscodeTools': true };
  const window = await open({ settings });
  const panel = await window.openPanel();

  gemini.script(
    [
      call('create_new_topic', { title: 'Tickets' }),
      call('ext_folio-tests_guest_find_tickets', { words: 'login' }),
    ],
    [text('One ticket is open.')],
  );
  const fixed = window.evaluate('executeCommand', 'guest.fixTicket', 'Login');
  await panel.getByText('Tools of other extensions ask first.').first().waitFor();
  await panel.getByText('find_tickets of the extension folio-tests.guest').first().waitFor();
  await window.screenshot('tool of another extension');
  await button(panel, 'Allow').click();
  await panel.getByText('One ticket is open.').waitFor();
  expect(await fixed).toBe('Done.');
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toMatch(
    /untrusted_content.{1,20}1: login is broken/,
  );

  gemini.script([call('vscode_guest_echo', { text: 'hello' })], [text('It said hello.')]);
  await ask(panel, 'Say hello');
  await panel.getByText('guest_echo of VS Code').first().waitFor();
  await button(panel, 'Allow').click();
  await panel.getByText('It said hello.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toMatch(/untrusted_content.{1,20}Echo: hello/);
  expectPlayed(gemini);
});

test('VS Code asks where Folio would before it reads what may hold secrets for another extension', {
  tags: ['journey'],
}, async ({ open, makeWorkspace }) => {
  await makeWorkspace({ '.env': 'TOKEN=1\n' });
  const window = await open();
  await window.evaluate('executeCommand', 'workbench.view.extension.folio');
  const read = window.evaluate('invokeTool', 'folio_read_file', { file_path: '.env' });
  const dialog = window.page.getByRole('dialog').filter({ hasText: 'Folio reads for another extension' });
  await dialog.waitFor();
  await window.screenshot('confirmation of a reading tool');
  await dialog
    .getByRole('button', { name: /Continue|Allow|Yes/ })
    .first()
    .click();
  expect(await read).toContain('TOKEN=1');
});
