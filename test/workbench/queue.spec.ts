import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { lastPrompt, lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

/** Runs until a file `go` is there. */
const waits = [
  call('run_shell_command', {
    command: 'echo started; until test -e go; do sleep 0.2; done; echo released',
    description: 'Waits',
  }),
];

test('what is typed while a command runs steers the next step or waits for its turn, as it was last changed', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  gemini.script(waits, [text('The command is through.')], [text('The changelog is written.')]);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  await startWaiting(panel);
  await ask(panel, 'Write the log.');
  await steer(panel, 'Mind the tests.');
  await ask(panel, 'Forget me.');
  await until('three wait', async () => (await waiting(panel)).length === 3);
  await window.screenshot('queue');

  await panel.getByRole('button', { name: 'Write the log., change' }).focus();
  await page.keyboard.press('Enter');
  const field = panel.getByRole('textbox', { name: 'Waiting prompt' });
  await field.fill('Write the changelog.');
  await window.screenshot('queue-edit');
  await field.press('Enter');
  await panel.getByRole('button', { name: 'Forget me., change' }).press('Delete');
  await until(
    'one is changed and one is gone',
    async () => (await waiting(panel)).join('|') === 'Mind the tests.|Write the changelog.',
  );
  expect(asked(gemini).length).toBe(1);

  await writeFile(join(folder, 'go'), '');
  await panel.getByText('The changelog is written.').waitFor();
  const [, second, third] = asked(gemini);
  expect(JSON.stringify(second!.body.contents?.at(-1))).toContain('released');
  expect(JSON.stringify(second!.body.contents)).toContain('Mind the tests.');
  expect(JSON.stringify(second!.body.contents)).not.toContain('changelog');
  expect(lastPrompt(third!)).toContain('Write the changelog.');
  expect(JSON.stringify(third!.body.contents)).not.toContain('Forget me.');
  expect(await waiting(panel)).toEqual([]);
  await window.screenshot('queue-read');
  expectPlayed(gemini);
});

test('waiting prompts outlive a reload, are sent only when the user says so, and stop and send cuts in', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  gemini.script(waits);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  await startWaiting(panel);
  await ask(panel, 'First this.');
  await ask(panel, 'Then that.');
  await until('both wait', async () => (await waiting(panel)).length === 2);

  await window.reload();
  panel = await window.openPanel();
  await panel.getByText('2 prompts wait', { exact: true }).last().waitFor();
  expect(await waiting(panel)).toEqual(['First this.', 'Then that.']);
  await window.screenshot('queue-restored');
  expect(asked(gemini).length).toBe(1);

  gemini.script([text('I begin with '), hang], [text('That is done.')]);
  await button(panel, 'Send first').click();
  await panel.getByText('I begin with').waitFor();
  expect(lastPrompt(lastAsked(gemini))).toContain('First this.');
  expect(await waiting(panel)).toEqual(['Then that.']);
  await button(panel, 'Stop and send now: Then that.').click();
  await panel.getByText('That is done.').waitFor();
  expect(lastPrompt(lastAsked(gemini))).toContain('Then that.');
  expect(asked(gemini).at(-2)?.signal.aborted).toBe(true);
  expect(await waiting(panel)).toEqual([]);
  expect(lastResults(asked(gemini)[1]!)).toEqual([]);
  await window.screenshot('queue-sent');
  expectPlayed(gemini);
});

/** The command only reads, so nobody is asked. */
async function startWaiting(panel: FrameLocator): Promise<void> {
  await ask(panel, 'Wait for the file.');
  await panel.getByText('started', { exact: true }).waitFor();
}

async function steer(panel: FrameLocator, prompt: string): Promise<void> {
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill(prompt);
  await field.press('Control+Enter');
}

function waiting(panel: FrameLocator): Promise<readonly string[]> {
  return panel.locator('.queue-text').allTextContents();
}
