import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { isAlive } from '../support/isAlive.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

/** A server of its own that says where it is, and an error for each page that is asked of it. */
const server = `
const server = require('node:http').createServer((request, response) => {
  console.error('Error: nothing is at ' + request.url);
  response.end('<title>Shop</title>');
});
server.listen(0, '127.0.0.1', () => {
  console.log('Process ' + process.pid + '. Local: http://127.0.0.1:' + server.address().port + '/');
});`;

test('a server that the agent starts is reached, reports its errors, starts again and ends', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'server.cjs': server });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const command = 'node server.cjs';
  gemini.script(
    [call('run_shell_command', { command, is_background: true, delay_ms: 0 })],
    [text('It serves.')],
  );
  await ask(panel, 'Serve it.');
  await button(panel, 'Run').click();
  const line = panel.getByRole('region', { name: command });
  const link = line.getByRole('button', { name: /^127/ });
  await link.waitFor();
  await window.screenshot('program');
  const address = `http://${await link.textContent()}/`;
  await fetch(`${address}orders`);
  await line.getByText('1 error').waitFor();

  gemini.script([text('I see it.')]);
  await ask(panel, 'And now?');
  await panel.getByText('I see it.').waitFor();
  expect(newest(gemini)).toContain('Error: nothing is at /orders');

  await line.getByRole('button', { name: 'Restart' }).click();
  await until('it has another address', async () => `http://${await link.textContent()}/` !== address);
  const next = `http://${await link.textContent()}/`;
  expect((await fetch(next)).status).toBe(200);
  gemini.script([text('It runs again.')]);
  await ask(panel, 'And after that?');
  await panel.getByText('It runs again.').waitFor();
  const pid = Number(/process id is (\d+)/.exec(newest(gemini))?.[1]);
  expect(isAlive(pid)).toBe(true);
  await line.getByRole('button', { name: 'Stop' }).click();
  await line.getByText('ended: SIGTERM').waitFor();
  expect(isAlive(pid)).toBe(false);
  await line.getByRole('button', { name: 'Remove from the list' }).click();
  await line.waitFor({ state: 'detached' });
  expectPlayed(gemini);
});

function newest(gemini: GeminiServer): string {
  return JSON.stringify(lastAsked(gemini).body);
}
