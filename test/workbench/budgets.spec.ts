import { expect } from 'vitest';
import { call, finish, text } from '../support/geminiAnswers.ts';
import { ask, asked, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('at the limit of steps Folio rests and asks, and each continuing grants the same amount again', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\n' });
  const gemini = await startGemini();
  const read = (name: string) => call('read_file', { file_path: name });
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.maxSteps': 2 };
  const window = await open({ settings });
  const panel = await window.openPanel();
  gemini.script([read('a.txt')], [read('b.txt')], [read('c.txt')], [text('Three letters.')]);
  await ask(panel, 'Read them.');
  await panel.getByRole('group', { name: /^Paused: limit of 2 steps for one prompt reached\./ }).waitFor();
  await panel.getByText('Used so far: 2 steps.').waitFor();
  expect(asked(gemini).length).toBe(2);
  await window.screenshot('budget');
  await button(panel, 'Continue').click();
  await panel.getByText('Three letters.').waitFor();
  // What was continued from offers nothing more.
  expect(await button(panel, 'Continue').count()).toBe(0);

  // A limit of tokens warns before it ends, and counts at once when it is changed.
  await window.evaluate('writeSetting', 'folio.maxSteps', 50);
  await window.evaluate('writeSetting', 'folio.budget.turnTokens', 1000);
  const costs = (tokens: number) =>
    finish('STOP', { promptTokenCount: tokens, candidatesTokenCount: 0, totalTokenCount: tokens });
  gemini.script([read('a.txt'), costs(850)], [read('b.txt'), costs(200)], [text('Both again.'), costs(10)]);
  await ask(panel, 'Read two of them again.');
  await panel.getByText(/^85 % of the limit of 1,000 tokens for one prompt is used up\./).waitFor();
  await panel.getByText('Used so far: 1,050 tokens.').waitFor();
  await window.screenshot('budget-tokens');
  await button(panel, 'Continue').click();
  await panel.getByText('Both again.').waitFor();
  await until('the agent rests', async () => (await button(panel, 'Stop (Escape)').count()) === 0);
  expectPlayed(gemini);
});
