import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { isAlive } from '../support/isAlive.ts';
import { everything, startsOf } from './support/everything.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const echo = call('mcp_everything_echo', { message: 'sheep' });
const toggle = call('mcp_everything_toggle-simulated-logging');

test('servers of the user are seen, switched and restarted, and one that is killed comes back', {
  tags: ['journey'],
}, async ({ open, makeFolder, makeWorkspace, startGemini, writeHome }) => {
  const starts = join(await makeFolder({}), 'starts.txt');
  const broken = {
    command: 'node',
    args: ['-e', 'console.error("No sheep in this house."); process.exit(3)'],
  };
  const mcpServers = { everything: everything(starts), broken };
  await writeHome({ '.gemini/settings.json': JSON.stringify({ mcpServers }) });
  const gemini = await startGemini();
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, '/mcp');
  const good = panel.locator('.mcp-server', { hasText: 'everything' });
  const bad = panel.locator('.mcp-server', { hasText: 'broken' });
  await good.locator('.mcp-state', { hasText: /^\d+ tools$/ }).waitFor();
  await bad.getByText('No sheep in this house.', { exact: false }).waitFor();
  await until('the broken one is given up', async () => /Failed/.test(await bad.innerText()));
  await good.locator('.row').click();
  await good.getByText('Yours, program').waitFor();
  await window.screenshot('mcp');
  await good.locator('.row').click();

  await choose(panel, 'everything', 'Disable');
  await good.locator('.mcp-state', { hasText: 'Disabled' }).waitFor();
  const [first] = await startsOf(starts);
  await until('its process has ended', () => !isAlive(first!));
  await button(panel, 'Enable: everything').click();
  await good.locator('.mcp-state', { hasText: /^\d+ tools$/ }).waitFor();
  await choose(panel, 'everything', 'Restart');
  await until('it has started again', async () => (await startsOf(starts)).length === 3);
  await good.locator('.mcp-state', { hasText: /^\d+ tools$/ }).waitFor();

  process.kill((await startsOf(starts)).at(-1)!, 'SIGKILL');
  await good.locator('.mcp-state', { hasText: /Starts again|Starting/ }).waitFor();
  await window.screenshot('mcp-killed');
  await good.locator('.mcp-state', { hasText: /^\d+ tools$/ }).waitFor();
  expect(await startsOf(starts)).toHaveLength(4);
  await choose(panel, 'everything', 'Open file');
  await window.page.getByRole('tab', { name: /settings\.json/ }).waitFor();
  await button(panel, 'Back to the session').click();

  // The user named the server, so its word that a tool only reads counts; what does more asks.
  gemini.script([echo], [toggle], [text('It echoes.')]);
  await ask(panel, 'Say sheep.');
  const card = panel.getByRole('group', { name: /needs your decision/ });
  await card.waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('Echo: sheep');
  await window.screenshot('mcp-ask');
  await button(panel, 'Allow').click();
  await panel.getByText('It echoes.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toMatch(/logging/i);
  expect(toolNames(lastAsked(gemini))).toContain('mcp_everything_get-sum');
  await panel.getByRole('button', { name: /everything: .*sheep/ }).click();
  await panel.getByText('Echo: sheep').first().waitFor();
  await window.screenshot('mcp-result');
  const last = (await startsOf(starts)).at(-1)!;
  await window.close();
  await until('no process is left behind', () => !isAlive(last));
  expectPlayed(gemini);
});

test('after the steps that add a server the panel has the focus, and the file in the editor stays', async ({
  open,
  makeFolder,
  makeWorkspace,
  startGemini,
}) => {
  const { command, args } = everything(join(await makeFolder({}), 'starts.txt'));
  const gemini = await startGemini();
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  await window.evaluate('selectLines', join(folder, 'notes.txt'), 1, 1);
  await window.runCommand('Folio: Show MCP Servers');
  await button(panel, 'Add server…').click();
  const step = (what: string) => page.locator('.quick-input-title', { hasText: what }).waitFor();
  await step('how it is reached');
  // A command that is at hand may be given where only its kind is asked for.
  await page.keyboard.type([command, ...args].map(word => `'${word}'`).join(' '));
  for (const what of ['variables', 'its name', 'where it is kept']) {
    await page.keyboard.press('Enter');
    await step(what);
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await panel.locator('.mcp-server.mcp-ready').waitFor();
  await until('the panel has the focus', () =>
    page.evaluate(() => document.activeElement?.tagName === 'IFRAME'),
  );
  expect((await window.evaluate('readDocument', join(folder, 'notes.txt'))).text).toBe('one\n');

  const name = (await panel.locator('.mcp-server .row-title').textContent())!;
  await choose(panel, name, 'Remove…');
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove' }).click();
  await panel.getByText('No MCP servers yet.').waitFor();
});

test('a form of a server is answered on the card of its call, and what may stay empty may', {
  tags: ['journey'],
}, async ({ open, makeFolder, makeWorkspace, startGemini, writeHome }) => {
  const starts = join(await makeFolder({}), 'starts.txt');
  const server = { ...everything(starts), trust: true };
  await writeHome({ '.gemini/settings.json': JSON.stringify({ mcpServers: { everything: server } }) });
  const gemini = await startGemini();
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server.mcp-ready').waitFor();
  await button(panel, 'Back to the session').click();

  gemini.script([call('mcp_everything_trigger-elicitation-request')], [text('It is filled in.')]);
  await ask(panel, 'Ask me something.');
  await panel.getByText('The server everything asks', { exact: false }).waitFor();
  await panel.getByText('Please provide inputs for the following fields:').waitFor();
  await window.screenshot('mcp-form');
  const form = panel.locator('.questions');
  await form.locator('input[type=text], textarea').first().fill('Ann Shepherd');
  await window.screenshot('mcp-form-filled');
  await button(panel, 'Send').click();
  await panel.getByText('It is filled in.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('Ann Shepherd');
  await window.screenshot('mcp-form-answered');
  expectPlayed(gemini);
});

async function choose(panel: FrameLocator, server: string, action: string): Promise<void> {
  const more = panel.getByRole('button', { name: `More actions of ${server}` });
  await more.focus();
  await more.press('Enter');
  await panel.getByRole('menuitem', { name: action }).click();
}
