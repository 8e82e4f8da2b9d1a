import { join } from 'node:path';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { button, expectPlayed } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('@folio in VS Code’s chat answers from the panel’s session, and asks lead into the panel', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  gemini.script(
    [
      call('create_new_topic', { title: 'Writing the notes' }),
      text('I write two.'),
      ...overwrite('notes.txt', 'two\n'),
    ],
    [text('It says two now.')],
  );
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'chat.disableAIFeatures': false },
  });
  const { page } = window;
  expect((await window.evaluate('readExtension', 'folio.folio')).isActive).toBe(false);
  // VS Code's chat runs no participant as long as there is no language model at all, whoever it is from.
  await window.evaluate('offerLanguageModel', join(folder, 'model.json'));
  await window.evaluate('executeCommand', 'workbench.action.chat.open', {
    query: '@folio Write two.',
    isPartialQuery: true,
  });
  const chat = page.locator('.interactive-session');
  await chat.getByText('Reader').first().waitFor();
  await page.keyboard.press('Enter');
  await chat.getByText('Writing the notes').waitFor();
  await chat.getByRole('button', { name: 'Decide in Folio' }).click();
  const panel = window.panel();
  await button(panel, 'Accept').waitFor();
  await button(panel, 'Accept').click();
  await panel.getByText('It says two now.').waitFor();
  // Both lie in the secondary side bar.
  await window.evaluate('executeCommand', 'workbench.action.chat.open');
  await chat.getByText('It says two now.').waitFor();
  await window.screenshot('chat');
  expectPlayed(gemini);
});
