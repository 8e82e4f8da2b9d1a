import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { isAlive } from '../support/isAlive.ts';
import { customizations } from './support/customizations.ts';
import { everything, startsOf, writeServers } from './support/everything.ts';
import { ask, expectPlayed, lastAsked, offered, until } from './support/panelActions.ts';
import { type MakeFolder, type MakeWorkspace, test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const brings = 'This workspace wants to add 1 server, 1 command, 1 agent and 1 skill';
const ofServer = 'mcp_everything_echo';

test('what a workspace brings works once the user has let it, and again when it has changed', {
  tags: ['journey'],
}, async ({ open, makeFolder, makeWorkspace, startGemini }) => {
  const { settings, starts } = await makeProject(makeWorkspace, makeFolder);
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  let card = panel.getByRole('region', { name: brings });
  await card.getByText('server-everything', { exact: false }).waitFor();
  await window.screenshot('consent');

  gemini.script([text('Nothing yet.')]);
  await ask(panel, 'What is there?');
  await panel.getByText('Nothing yet.').waitFor();
  const before = lastAsked(gemini);
  expect(toolNames(before)).not.toContain(ofServer);
  expect(JSON.stringify(before.body)).not.toMatch(/herder|counting-sheep/);
  expect(await offered(panel, '/tea')).toEqual([]);
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server', { hasText: 'Waiting for you' }).waitFor();
  await window.screenshot('mcp-waiting');
  await panel.getByRole('button', { name: 'Decide: everything' }).click();
  expect(await startsOf(starts)).toEqual([]);

  await card.getByRole('button', { name: 'Allow' }).click();
  await card.waitFor({ state: 'detached' });
  await untilReady(window, panel);
  const [first] = await startsOf(starts);
  gemini.script([call('activate_skill', { name: 'counting-sheep' })], [readLeaves], [text('All of it.')]);
  await ask(panel, 'And now?');
  await panel.getByText('All of it.').waitFor();
  const now = lastAsked(gemini);
  expect(toolNames(now)).toContain(ofServer);
  const { systemInstruction } = now.body;
  expect(JSON.stringify(systemInstruction)).toContain('counting-sheep');
  expect(JSON.stringify(systemInstruction)).toContain('Counts sheep by their legs');
  expect(JSON.stringify(systemInstruction)).toContain('herder');
  expect(JSON.stringify(systemInstruction)).not.toContain('Divide the legs by four');
  expect(JSON.stringify(now.body.contents)).toContain('Divide the legs by four');
  expect(JSON.stringify(now.body.contents)).toContain('- leaves/legs.md');
  expect(lastResults(now)[0]?.output).toContain('Four legs each.');
  expect(await offered(panel, '/tea')).toEqual([expect.stringContaining('team:look')]);
  await window.screenshot('skill-used');

  await window.crashHost();
  panel = await window.openPanel();
  await untilReady(window, panel);
  expect(await panel.getByRole('region', { name: /^This workspace wants to add/ }).count()).toBe(0);
  await until('the first process has ended', () => !isAlive(first!));
  expect(await startsOf(starts)).toHaveLength(2);

  // Other arguments: it ends at once, and another decision is asked for.
  await writeServers(settings, { everything: everything(starts, '--other') });
  card = panel.getByRole('region', { name: 'This workspace wants to add 1 server' });
  await card.getByText('--other', { exact: false }).waitFor();
  await window.screenshot('consent-changed');
  const second = (await startsOf(starts)).at(-1)!;
  await until('the second process has ended', () => !isAlive(second));
  await card.getByRole('button', { name: 'Not now' }).click();
  await card.waitFor({ state: 'detached' });
  gemini.script([text('No server any more.')]);
  await ask(panel, 'What is left?');
  await panel.getByText('No server any more.').waitFor();
  expect(toolNames(lastAsked(gemini))).not.toContain(ofServer);
  expect(toolNames(lastAsked(gemini))).toContain('activate_skill');

  await window.crashHost();
  panel = await window.openPanel();
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server', { hasText: 'Waiting for you' }).waitFor();
  await window.screenshot('mcp-refused');
  expect(await startsOf(starts)).toHaveLength(2);
  expect(await panel.getByRole('region', { name: /^This workspace wants to add/ }).count()).toBe(0);

  // Who has thought again is shown what it does before it runs.
  await panel.getByRole('button', { name: 'Decide: everything' }).click();
  card = panel.getByRole('region', { name: 'This workspace wants to add 1 server' });
  await card.getByText('--other', { exact: false }).waitFor();
  await card.getByRole('button', { name: 'Allow' }).click();
  await untilReady(window, panel);
  expect(await startsOf(starts)).toHaveLength(3);
  expectPlayed(gemini);
});

const readLeaves = call('read_file', { file_path: '.gemini/skills/counting-sheep/leaves/legs.md' });

async function makeProject(makeWorkspace: MakeWorkspace, makeFolder: MakeFolder) {
  const folder = await makeWorkspace({ 'notes.txt': 'one sheep\n', ...customizations });
  // Outside of the workspace: what is written there is nobody's change.
  const starts = join(await makeFolder({}), 'starts.txt');
  const settings = join(folder, '.gemini', 'settings.json');
  await writeServers(settings, { everything: everything(starts) });
  return { settings, starts };
}

async function untilReady(window: Workbench, panel: FrameLocator): Promise<void> {
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server.mcp-ready', { hasText: 'everything' }).waitFor();
  await panel.getByRole('button', { name: 'Back to the session' }).click();
}
