import { expect } from 'vitest';
import { hang, rateLimited, text } from '../support/geminiAnswers.ts';
import { ask, asked, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a server that is busy is waited for, and one that goes away in the middle of an answer can be retried', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.maxAttempts': 2 };
  await makeWorkspace({});
  const window = await open({ settings });
  const panel = await window.openPanel();

  // It asks for two minutes; the user does not want to wait.
  gemini.script(rateLimited(120), [text('I have time now.')]);
  await ask(panel, 'Are you there?');
  const countdown = panel.getByText(/Retrying in .* \(2 of 2\)/);
  await countdown.waitFor();
  const shown = await countdown.textContent();
  await until('the countdown counts', async () => (await countdown.textContent()) !== shown);
  await window.screenshot('countdown');
  expect(asked(gemini)).toHaveLength(1);
  await button(panel, 'Retry now').click();
  await panel.getByText('I have time now.').waitFor();
  expectPlayed(gemini);

  // The server ends while it answers, and nothing listens there any more.
  gemini.script([text('The first half of '), hang]);
  await ask(panel, 'Tell me all.');
  await panel.getByText('The first half of').waitFor();
  await gemini.dispose();
  await button(panel, 'Retry now').click();
  const failure = panel.getByRole('group', { name: /^Failed: / });
  await failure.waitFor();
  expect(await panel.getByText('The first half of').count()).toBe(0);
  await window.page.getByRole('button', { name: 'Folio failed; the panel says why' }).waitFor();
  await window.screenshot('failed');

  const other = await startGemini();
  other.script([text('The first half and the second.')]);
  await window.evaluate('writeSetting', 'folio.baseUrl', other.baseUrl);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await panel.getByText('The first half and the second.').waitFor();
  expect(await failure.count()).toBe(0);
  await window.page.getByRole('button', { name: 'Folio is idle' }).waitFor();
  const reported = JSON.stringify(lastAsked(other).body.contents);
  expect(reported.match(/Tell me all\./g)).toHaveLength(1);
  expect(reported).not.toContain('The first half of');
  expectPlayed(other);
});
