import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const program = join(projectRoot, 'test', 'mcp', 'support', 'officeServer.ts');
const office = (name: string) => ({ command: process.execPath, args: [program, name] });

const script = `const { issues } = await servers.tracker.list_issue({ repository: 'orders' });
const bugs = issues.filter(each => each.kind === 'bug');
await servers.chat.create_message({ id: 'triage', text: 'orders: ' + bugs.length });
return bugs.map(each => each.number);`;

test('a script has a card with those of its calls below, of which one asks', async ({
  open,
  makeWorkspace,
  startGemini,
  writeHome,
}) => {
  await mustHaveSandbox();
  const mcpServers = { tracker: office('tracker'), chat: office('chat') };
  await writeHome({ '.gemini/settings.json': JSON.stringify({ mcpServers }) });
  const gemini = await startGemini();
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.mcp.byCode': 'on' } });
  const panel = await window.openPanel();
  await window.runCommand('Folio: Show MCP Servers');
  for (const name of ['tracker', 'chat'])
    await panel.locator('.mcp-server.mcp-ready', { hasText: name }).waitFor();
  await button(panel, 'Back to the session').click();

  gemini.script(
    [call('run_tool_script', { script, purpose: 'Count the bugs of orders' })],
    [text('They are counted.')],
  );
  await ask(panel, 'How many bugs are open?');
  // The call that reads ran unasked; the one that acts asks on the script's card.
  const card = panel.getByRole('group', { name: /^Script: Count the bugs of orders/ });
  await card.getByText('create_message of the server chat', { exact: false }).first().waitFor();
  await window.screenshot('script-ask');
  await button(panel, 'Allow').click();
  await panel.getByText('They are counted.').waitFor();
  expect(toolNames(lastAsked(gemini))).toContain('run_tool_script');
  expect(lastResults(lastAsked(gemini))[0]?.output).toMatch(
    /\[100,103,106,109,112,115,118\][\s\S]*\[2 calls\]/,
  );

  await card.locator('.row').first().click();
  await window.screenshot('script-open');
  await card.getByText('servers.tracker.list_issue', { exact: false }).first().waitFor();
  for (const title of ['tracker: list_issue', 'chat: create_message'])
    await card.getByText(title, { exact: false }).first().waitFor();
  expectPlayed(gemini);
});
