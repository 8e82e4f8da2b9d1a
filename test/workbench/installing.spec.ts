import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { quoteWord } from '../../src/extension/core/commands/template/words.ts';
import { isAlive } from '../support/isAlive.ts';
import { everything, startsOf } from './support/everything.ts';
import { ask, button, offered, reported, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const inList = '.quick-input-list [role="option"]';

test('an extension is shown before it counts, its command is offered, and the palette switches it off and removes it', {
  tags: ['journey'],
}, async ({ suite, open, makeFolder, makeWorkspace }) => {
  const hook = { type: 'command', command: 'echo baa' };
  const source = await makeFolder({
    'gemini-extension.json': '{ "name": "shepherd", "version": "1.2.0" }',
    'GEMINI.md': 'Never feed the gulls.',
    'commands/flock/count.toml': 'description = "Counts the sheep"\nprompt = "Count {{args}}"\n',
    'hooks/hooks.json': JSON.stringify({ hooks: { SessionEnd: [{ hooks: [hook] }] } }),
  });
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open();
  const { page } = window;
  const panel = await window.openPanel();
  const dialog = page.locator('.monaco-dialog-box');
  const root = join(suite.home, '.gemini', 'extensions');
  const installed = async () => {
    // Nothing was installed as long as there is no folder.
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
    // What is under way has a dot before its name.
    return folders.filter(name => !name.startsWith('.'));
  };

  await ask(panel, `/extensions install ${source}`);
  await dialog.getByText('Install the extension shepherd 1.2.0', { exact: false }).waitFor();
  await dialog.getByText('echo baa', { exact: false }).waitFor();
  await dialog.getByText('command /flock:count: Counts the sheep', { exact: false }).waitFor();
  await window.screenshot('extension-question');
  expect(await installed()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByText('The extension shepherd was not installed.').waitFor();
  await window.screenshot('extension-refused');
  expect(await installed()).toEqual([]);

  await panel.getByRole('textbox', { name: 'Ask Folio' }).press('Enter');
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await reported(window, 'The extension shepherd 1.2.0 is installed and active.');
  expect(await installed()).toEqual(['shepherd']);
  expect(await offered(panel, '/flo')).toEqual([expect.stringContaining('flock:count')]);

  const row = page.locator(inList).filter({ hasText: 'shepherd' });
  const action = (label: string) => page.locator(inList).filter({ hasText: label });
  await window.runCommand('Folio: Manage Extensions of the Agent');
  await row.filter({ hasText: 'active · 1.2.0' }).waitFor();
  await row.filter({ hasText: 'commands: /flock:count' }).waitFor();
  await window.screenshot('extension-manage');
  await row.click();
  await action('Disable everywhere').waitFor();
  expect(await action('Enable everywhere').count()).toBe(0);
  await window.screenshot('extension-actions');
  await action('Disable everywhere').click();
  await reported(window, 'The extension shepherd is disabled everywhere.');
  expect(await offered(panel, '/flo')).toEqual([]);

  await window.runCommand('Folio: Manage Extensions of the Agent');
  await row.filter({ hasText: 'disabled' }).click();
  await action('Enable everywhere').waitFor();
  await action('Remove').click();
  await dialog.getByText('Remove the extension shepherd?').waitFor();
  await window.screenshot('extension-remove');
  expect(await installed()).toEqual(['shepherd']);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await reported(window, 'The extension shepherd is removed.');
  expect(await installed()).toEqual([]);
});

test('a server is added step by step, runs, is described, and is taken out again', {
  tags: ['journey'],
}, async ({ suite, open, makeFolder, makeWorkspace, writeHome }) => {
  const file = join(suite.home, '.gemini', 'settings.json');
  await writeHome({ '.gemini/settings.json': '{\n  "theme": "Dusk"\n}\n' });
  const starts = join(await makeFolder({}), 'starts.txt');
  // The name is derived from the command.
  const { command, args } = everything(starts);
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open();
  const { page } = window;
  const panel = await window.openPanel();
  const step = page.locator('.quick-input-widget');
  const dialog = page.locator('.monaco-dialog-box');
  const enter = async (what: string, typed?: string) => {
    await step.getByText(`Add a server: ${what}`, { exact: false }).waitFor();
    if (typed !== undefined) await step.locator('input').fill(typed);
    await window.screenshot(`server-step-${what}`);
    await step.locator('input').press('Enter');
  };

  await window.runCommand('Folio: Add MCP Server');
  await page.locator(inList).filter({ hasText: 'A program' }).waitFor();
  await window.screenshot('server-step-1');
  await page.locator(inList).filter({ hasText: 'A program' }).click();
  const commandLine = (last: string) => [command, ...args.with(-1, last)].map(quoteWord).join(' ');
  await enter('its command', commandLine('pigeon'));
  await enter('variables', 'SHEEP_TOKEN=wool-4711-wool');
  await enter('its name');
  await page.locator(inList).filter({ hasText: 'For you, everywhere' }).waitFor();
  await window.screenshot('server-step-5');
  await page.locator(inList).filter({ hasText: 'For you, everywhere' }).click();
  // It does not start: everything is asked for again as it was typed.
  await dialog.getByText('The server bash was not added', { exact: false }).waitFor();
  await window.screenshot('server-failed');
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
  await enter('how it is reached', commandLine('stdio'));
  await enter('variables');
  await enter('its name');
  await page.locator(inList).filter({ hasText: 'For you, everywhere' }).click();
  await panel.locator('.mcp-server.mcp-ready', { hasText: 'bash' }).waitFor();
  await window.screenshot('server-added');
  expect(await page.locator('.notifications-toasts', { hasText: 'bash' }).count()).toBe(0);
  const written = await readFile(file, 'utf8');
  expect(JSON.parse(written)).toMatchObject({
    theme: 'Dusk',
    mcpServers: { bash: { command: 'bash' } },
  });
  expect(written).not.toContain('4711');

  await button(panel, 'Back to the session').click();
  await ask(panel, '/mcp desc');
  await page.getByRole('tab', { name: /MCP servers\.md/ }).waitFor();
  await page.locator('.view-lines', { hasText: 'get-sum' }).waitFor();
  await window.screenshot('server-described');

  await ask(panel, '/mcp remove bas');
  await panel.getByText('Did you mean bash?', { exact: false }).waitFor();
  await ask(panel, '/mcp remove bash');
  await reported(window, 'The server bash was removed from');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ theme: 'Dusk' });
  expect(await readFile(file, 'utf8')).not.toContain('bash');
  const last = (await startsOf(starts)).at(-1)!;
  await until('its process has ended', () => !isAlive(last));
});
