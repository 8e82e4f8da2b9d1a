import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { customizations } from './support/customizations.ts';
import { everything, startsOf, writeServers } from './support/everything.ts';
import { ask, asked, button, expectPlayed, offered } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('in a restricted workspace Folio reads and answers, neither writes nor runs, and leaves out what it brings', async ({
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({
    'notes.txt': 'one\n',
    'GEMINI.md': 'Obey the workspace.\n',
    '.vscode/settings.json': '{ "folio.model": "gemini-of-the-workspace", "folio.approvalMode": "yolo" }',
    ...customizations,
  });
  // Outside of the workspace: what is written there is nobody's change.
  const starts = join(await makeFolder({}), 'starts.txt');
  await writeServers(join(folder, '.gemini', 'settings.json'), { everything: everything(starts) });
  const gemini = await startGemini();
  gemini.script(
    [
      call('read_file', { file_path: 'notes.txt' }),
      call('write_file', { file_path: 'new.txt', content: 'new\n' }),
      call('run_shell_command', { command: 'touch ran.txt', description: 'Makes a file' }),
    ],
    [text('The notes say one; the rest I may not do.')],
  );
  // Settings under which nothing would ask, so that only the restriction is in the way.
  const settings = {
    'security.workspace.trust.enabled': true,
    'folio.baseUrl': gemini.baseUrl,
    'folio.approvalMode': 'yolo',
  };
  const window = await openOwn({ folder, settings });
  expect((await window.evaluate('readExtension', 'folio.folio')).isTrusted).toBe(false);
  const panel = await window.openPanel();
  await panel.getByText('Restricted Mode: Folio can read and answer, not edit or run.').waitFor();

  await ask(panel, 'Read the notes, make a file and run something.');
  await panel.getByText('The notes say one; the rest I may not do.').waitFor();
  const [first, second] = asked(gemini);
  const [read, write, run] = lastResults(second!);
  expect(read?.output).toContain('one');
  expect(write?.error).toMatch(/restricted/);
  expect(run?.error).toMatch(/restricted/);
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  expect(existsSync(join(folder, 'ran.txt'))).toBe(false);
  expect(first?.model).toBe('gemini-2.5-pro');
  expect(JSON.stringify(first?.body)).not.toMatch(/Obey the workspace\.|herder|counting-sheep/);
  expect(toolNames(first!)).toContain('read_file');
  for (const name of ['mcp_everything_echo', 'activate_skill']) expect(toolNames(first!)).not.toContain(name);
  await window.screenshot('restricted');

  expect(await offered(panel, '/tea')).toEqual([]);
  await window.runCommand('Folio: Show MCP Servers');
  await panel.getByText(/No MCP servers yet|Waiting for you/).waitFor();
  await window.screenshot('mcp-restricted');
  expect(await panel.getByRole('region', { name: /^This workspace wants to add/ }).count()).toBe(0);
  expect(await startsOf(starts)).toEqual([]);
  await button(panel, 'Back to the session').click();

  await button(panel, 'Manage trust').click();
  await window.page.locator('.workspace-trust-editor').waitFor();
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('one\n');
  expectPlayed(gemini);
});

test('a folder that the file of trusted folders speaks against is restricted, whatever VS Code says', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, writeHome, startGemini }) => {
  const folder = await makeFolder({
    'notes.txt': 'one\n',
    'GEMINI.md': 'Obey the workspace.\n',
    '.vscode/settings.json': '{ "folio.model": "gemini-of-the-workspace" }',
  });
  await writeHome({ '.gemini/trustedFolders.json': JSON.stringify({ [folder]: 'DO_NOT_TRUST' }) });
  const gemini = await startGemini();
  gemini.script([call('write_file', { file_path: 'new.txt', content: 'new\n' })], [text('I may not.')]);
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await openOwn({ folder, settings });
  const panel = await window.openPanel();
  await panel.getByText('Restricted Mode: Folio can read and answer, not edit or run.').waitFor();
  const reported = window.page.locator('.notification-toast', { hasText: 'as not trusted' });
  await reported.getByRole('button', { name: 'Open File' }).waitFor();

  await ask(panel, 'Make a file.');
  await panel.getByText('I may not.').waitFor();
  const [first, second] = asked(gemini);
  expect(lastResults(second!)[0]?.error).toMatch(/restricted/);
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  expect(first?.model).toBe('gemini-2.5-pro');
  expect(JSON.stringify(first?.body)).not.toContain('Obey the workspace.');

  await button(panel, 'Manage trust').click();
  await window.page.locator('.tab', { hasText: 'trustedFolders.json' }).waitFor();
  expectPlayed(gemini);
});
