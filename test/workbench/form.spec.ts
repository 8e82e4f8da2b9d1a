import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const questions = [
  {
    header: 'Rounding',
    question: 'Where is the total rounded?',
    type: 'choice',
    options: [{ label: 'On the sum', description: 'What tax offices expect' }, { label: 'On each line' }],
  },
  { question: 'What does the changelog say?', type: 'text', placeholder: 'One sentence' },
  { question: 'May old invoices change?', type: 'yesno' },
];

test('a form is answered by keyboard, keeps what was put in while the panel is away, and the model reads it', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  gemini.script(
    [call('ask_user', { questions })],
    [call('ask_user', { questions: questions.slice(2) })],
    [text('Now I know.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  let panel = await window.openPanel();
  await ask(panel, 'Round the totals.');
  await panel.getByText('Folio asks 3 questions').waitFor();
  await page.getByRole('button', { name: 'Folio waits for you' }).waitFor();
  await panel.getByRole('log').focus();
  for (const key of ['k', 'Tab', 'Space', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('Totals are rounded once.');
  await window.screenshot('form');

  await window.evaluate('executeCommand', 'workbench.view.explorer');
  panel = await window.openPanel();
  const changelog = panel.getByRole('textbox', { name: 'What does the changelog say?' });
  await until(
    'what was put in is there',
    async () => (await changelog.inputValue()) === 'Totals are rounded once.',
  );
  expect(await panel.getByRole('radio', { name: /^On each line/ }).isChecked()).toBe(true);
  await changelog.focus();
  for (const key of ['Tab', 'ArrowDown']) await page.keyboard.press(key);
  await until('No is chosen', () => panel.getByRole('radio', { name: 'No' }).isChecked());
  await page.keyboard.press('Enter');

  await panel.getByText('Folio asks', { exact: true }).waitFor();
  expect(JSON.parse(lastResults(lastAsked(gemini))[0]?.output ?? '')).toEqual({
    answers: [
      { question: questions[0]?.question, answer: 'On each line' },
      { question: questions[1]?.question, answer: 'Totals are rounded once.' },
      { question: questions[2]?.question, answer: 'No' },
    ],
  });
  await button(panel, 'Skip…').click();
  await page.keyboard.type('Ask Bea');
  await page.keyboard.press('Enter');
  await panel.getByText('Now I know.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.error).toContain('They said: Ask Bea');
  await window.screenshot('form-answered');
  expectPlayed(gemini);
});
