import { expect } from 'vitest';
import { text } from '../support/geminiAnswers.ts';
import { ask, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a line behind ! runs at once, and the next prompt brings its output along', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = window.panel();
  await window.runCommand('Folio: Focus Panel');
  await ask(panel, '!cat notes.txt; exit 4');
  await panel.getByText('Run cat notes.txt; exit 4').waitFor();
  await panel.getByText('Exit code 4').waitFor();
  await window.screenshot('own-command');
  expect(gemini.requests.filter(({ body }) => JSON.stringify(body.contents).includes('notes.txt'))).toEqual(
    [],
  );
  gemini.script([text('It ended with 4.')]);
  await ask(panel, 'Why?');
  await panel.getByText('It ended with 4.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toMatch(/command of their own.*Exit code: 4/);
});
