import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { startPortProxy } from '../support/portProxy.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const program = join(import.meta.dirname, '..', 'mcp', 'support', 'appsServer.ts');

test('the page of a server is shown, calls a tool of it as the agent does, and is there after a reload', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini, writeHome }) => {
  const mcpServers = { board: { command: process.execPath, args: [program] } };
  await writeHome({ '.gemini/settings.json': JSON.stringify({ mcpServers }) });
  const gemini = await startGemini();
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, '/mcp');
  await panel.locator('.mcp-server .mcp-state', { hasText: /^\d+ tools$/ }).waitFor();
  await button(panel, 'Back to the session').click();
  gemini.script([call('mcp_board_show_board', { city: 'Oslo' })], [text('Three tickets are open.')]);
  await ask(panel, 'Show me the board.');
  await panel.getByText('Three tickets are open.').waitFor();
  const page = panel.frameLocator('.app-page').frameLocator('iframe');
  await page.getByText('Board of {"city":"Oslo"}').waitFor();
  await window.screenshot('app');

  await button(panel, 'Use: Page of the server board').click();
  await page.getByRole('button', { name: 'Move' }).click();
  await panel.getByRole('group', { name: /needs your decision/ }).waitFor();
  expect(await page.locator('#answer').textContent()).toBe('');
  await window.screenshot('app-asks');
  await button(panel, 'Allow').click();
  await page.getByText('"move_ticket"').waitFor();

  await button(panel, 'Use: Page of the server board').click();
  await page.getByRole('button', { name: 'Choose' }).click();
  const added = panel.getByText('Page of the server board adds: Ticket 7 is chosen.');
  await added.waitFor();
  await window.screenshot('app-adds');
  gemini.script([text('It is noted.')]);
  await ask(panel, 'Note that.');
  await panel.getByText('It is noted.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toMatch(
    /untrusted_content>\\+nTicket 7 is chosen\.\\+n.{0,200}Note that\./,
  );
  await added.waitFor({ state: 'detached' });

  await window.reload();
  await window.openPanel();
  await page.getByText('Board of {"city":"Oslo"}').waitFor();
  await button(panel, 'Use: Page of the server board').click();
  await page.getByRole('button', { name: 'Choose' }).click();
  await added.waitFor();
  await button(panel, 'Reload: Page of the server board').click();
  await added.waitFor({ state: 'detached' });
  expectPlayed(gemini);
});

// Of the addresses of this machine only Linux answers all.
test.runIf(process.platform === 'linux')(
  'the page of a server is shown where VS Code forwards it',
  {
    tags: ['journey'],
  },
  async ({ openOwn, makeFolder, startGemini, writeHome }) => {
    await using proxy = await startPortProxy('127.0.0.2');
    const mcpServers = { board: { command: process.execPath, args: [program] } };
    await writeHome({ '.gemini/settings.json': JSON.stringify({ mcpServers }) });
    const gemini = await startGemini();
    const window = await openOwn({
      folder: await makeFolder({ 'notes.txt': 'one\n' }),
      settings: { 'folio.baseUrl': gemini.baseUrl },
      env: { VSCODE_PROXY_URI: `${proxy.origin}/port/{{port}}` },
    });
    const panel = await window.openPanel();
    await ask(panel, '/mcp');
    await panel.locator('.mcp-server .mcp-state', { hasText: /^\d+ tools$/ }).waitFor();
    await button(panel, 'Back to the session').click();
    gemini.script([call('mcp_board_show_board', { city: 'Oslo' })], [text('Three tickets are open.')]);
    await ask(panel, 'Show me the board.');
    await panel
      .frameLocator('.app-page')
      .frameLocator('iframe')
      .getByText('Board of {"city":"Oslo"}')
      .waitFor();
    expect(await panel.locator('.app-page').getAttribute('src')).toContain(`${proxy.origin}/port/`);
    expectPlayed(gemini);
  },
);
