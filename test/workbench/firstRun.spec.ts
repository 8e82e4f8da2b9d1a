import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { localModelServers } from '../../src/extension/vscode/connect/localServers.ts';
import { text } from '../support/geminiAnswers.ts';
import * as chat from '../support/openaiAnswers.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/openaiServer.ts';
import { ask, button, expectPlayed, lastAsked, typeKey } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('without a model the rehearsal is one press, and a key is tried where it is typed', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({});
  await cp(join(projectRoot, 'sample'), folder, { recursive: true });
  const gemini = await startGemini({ apiKey: 'right' });
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await openOwn({ folder, settings, env: { GEMINI_API_KEY: undefined } });
  let panel = await window.openPanel();

  await panel.getByRole('heading', { name: 'Connect a model' }).waitFor();
  await panel.getByText('None available yet').waitFor();
  await window.screenshot('first-run');

  // The rehearsal, all of it: nothing of it goes to the server that the settings name.
  await panel.getByRole('button', { name: /^Rehearsal/ }).click();
  await panel.getByText('Rehearsal: scripted answers, no model connected.').waitFor();
  await ask(panel, 'Find out why a test fails and fix it');
  await button(panel, 'Run').click();
  await button(panel, 'Accept').click();
  await panel.getByRole('heading', { name: 'Checking the fix' }).waitFor();
  await button(panel, 'Run').click();
  await panel.getByText('The total is right now.').waitFor();
  await panel.getByText('6 tests passed, 0 failed').waitFor();
  expect(await readFile(join(folder, 'src/invoice.js'), 'utf8')).toContain('return net + roundCents(tax);');
  await window.screenshot('rehearsal');
  expect(gemini.requests).toEqual([]);

  // A wrong key is told in the field that it was typed into, and in the card when that is left.
  await button(panel, 'Connect a model').click();
  await panel.getByRole('button', { name: /^Gemini API key/ }).click();
  await typeKey(window, 'wrong');
  const field = window.page.locator('.quick-input-widget');
  await field.getByText('Gemini rejected this API key.').waitFor();
  // Another Enter saves nothing: only the button does.
  await window.page.keyboard.press('Enter');
  await field.getByRole('button', { name: 'Save Anyway' }).waitFor();
  await field.getByText('Gemini rejected this API key.').waitFor();
  await window.screenshot('wrong-key');
  await window.page.keyboard.press('Escape');
  await panel.locator('.way-problem').getByText('Gemini rejected this API key.').waitFor();
  await window.screenshot('wrong-key-card');
  await button(panel, 'Type the key…').click();
  await typeKey(window, `sk-proj-${'a1'.repeat(20)}`, 'typed');
  await field.getByText('This is an OpenAI-style key (sk-…)').waitFor();
  await typeKey(window, 'right');
  // Connected: back in the session, which continues with Gemini.
  await panel.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
  await panel.getByText('Rehearsal: scripted answers, no model connected.').waitFor({ state: 'detached' });

  // Stored, not just remembered: an extension host that starts afresh has it. (VS Code itself keeps secrets of this
  // browser workbench for as long as its page lives, so a reload would show nothing about Folio.)
  await window.crashHost();
  panel = await window.openPanel();
  gemini.script([text('Hello from the server.')]);
  await ask(panel, 'Say hello.');
  await panel.getByText('Hello from the server.').waitFor();
  expect(lastAsked(gemini).headers['x-goog-api-key']).toBe('right');
  expectPlayed(gemini);

  await window.runCommand('Folio: Clear API Key');
  await panel.getByText('No model is connected yet.').waitFor();
});

test('a server on this machine is found by a press, its model is tried and chosen by key, and it answers', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder }) => {
  const folder = await makeFolder({ 'note.txt': 'a note' });
  const models = { object: 'list', data: [{ id: 'gemma3:4b' }, { id: 'qwen3:14b' }] };
  await using server = await startAtUsualPort(models);
  // A key for another service lies in the environment.
  const env = { GEMINI_API_KEY: undefined, OPENAI_API_KEY: `sk-${'b2'.repeat(12)}` };
  const window = await openOwn({ folder, env });
  const panel = await window.openPanel();
  const row = panel.getByRole('button', { name: /^Model server/ });
  await row.waitFor();
  expect(server.lists).toHaveLength(0);

  await row.press('Enter');
  await panel.getByRole('button', { name: 'gemma3:4b' }).waitFor();
  await window.screenshot('server-found');
  server.script(
    chat.refusal(400, 'registry.ollama.ai/library/gemma3:4b does not support tools'),
    [chat.text('yes')],
    [chat.text('Hello from this machine.')],
  );
  await row.press('ArrowDown');
  await panel.getByRole('button', { name: 'gemma3:4b' }).press('Enter');
  await panel.locator('.way-problem').getByText('The model "gemma3:4b" cannot call tools').waitFor();
  await window.screenshot('server-without-tools');
  await panel.getByRole('button', { name: 'gemma3:4b' }).press('ArrowDown');
  await panel.getByRole('button', { name: 'qwen3:14b' }).press('Enter');

  // The card is gone and the cursor stands where the user continues.
  await panel.getByText('Describe a task.', { exact: false }).waitFor();
  await panel.locator('textarea:focus').waitFor();
  await ask(panel, 'Say hello.');
  await panel.getByText('Hello from this machine.').waitFor();
  const { body } = server.requests.at(-1)!;
  expect(body.model).toBe('qwen3:14b');
  expect(server.unplayed).toBe(0);
  const sent = [...server.lists, ...server.requests.map(({ headers }) => headers)];
  expect(sent.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
  expect(await window.readSettings()).toMatchObject({
    'folio.provider': 'openai',
    'folio.model': 'qwen3:14b',
    'folio.openai.baseUrl': server.baseUrl,
  });
});

/** At the first of the usual ports that nobody on this machine has taken. */
async function startAtUsualPort(models: unknown): Promise<OpenAiServer & AsyncDisposable> {
  for (const { port } of localModelServers) {
    const server = await startOpenAiServer({ models, port }).catch(error => {
      if (error.code === 'EADDRINUSE') return undefined;
      throw error;
    });
    if (server) return Object.assign(server, { [Symbol.asyncDispose]: () => server.dispose() });
  }
  throw new Error(
    'All usual ports of model servers are taken on this machine. Free one of them for this test.',
  );
}
