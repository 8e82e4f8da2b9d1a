import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { copyExtension } from '../../scripts/vscodeHost/copyExtension.ts';
import { until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const name = 'folio.folio-0.0.0';
const missing =
  "This editor rejected part of Folio, so some commands or views are missing. Folio's log lists them.";

test('the package registers everything it contributes', async ({ open, makeWorkspace }) => {
  await makeWorkspace({});
  await expectAllRegistered(await open());
});

test('the folder that npm start opens registers everything, and the main commands run', async ({
  openOwn,
  makeFolder,
}) => {
  const folder = await makeFolder({ 'notes.txt': 'one\n' });
  const extensions = [{ name, folder: await copyExtension(await makeFolder({})) }];
  const window = await openOwn({ folder, extensions });
  await expectAllRegistered(window);
  await runMainCommands(window);
});

test('a registration that the editor refuses is notified and takes no other feature down', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder }) => {
  const folio = await copyExtension(await makeFolder({}));
  await changeManifest(folio, ({ contributes }) => {
    contributes.mcpServerDefinitionProviders = [];
    contributes.chatParticipants = [];
  });
  const window = await openOwn({ folder: await makeFolder({}), extensions: [{ name, folder: folio }] });
  expect(await findUnregistered(window)).toEqual([]);
  await toast(window, missing).waitFor();
  await window.screenshot('feature-refused');
  await toast(window, missing).getByRole('button', { name: 'Open log' }).click();
  await logIsShown(window);
});

test('a start that fails says so in the panel, with the log and a reload', async ({
  openOwn,
  makeFolder,
}) => {
  const folio = await copyExtension(await makeFolder({}));
  // As in an editor that lacks what the panel cannot do without.
  const main = join(folio, 'dist', 'extension.js');
  const code = await readFile(main, 'utf8');
  await writeFile(main, code.replaceAll('registerFileSystemProvider(', 'registerNothing('));
  const window = await openOwn({ folder: await makeFolder({}), extensions: [{ name, folder: folio }] });
  await window.evaluate('executeCommand', 'folio.panel.focus');
  const panel = window.panel();
  await panel.getByRole('heading', { name: 'Folio could not start' }).waitFor();
  await window.screenshot('failed-start');
  await panel.getByRole('link', { name: 'Reload Window' }).waitFor();
  await panel.getByRole('link', { name: 'Open log' }).waitFor();
  await window.evaluate('executeCommand', 'folio.openLog');
});

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    mcpServerDefinitionProviders: readonly unknown[];
    chatParticipants: readonly unknown[];
  };
}

/** Everything that package.json contributes and that the window does not know once Folio is active. */
async function findUnregistered(window: Workbench): Promise<readonly string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const { commands, languageModelTools, views, menus } = manifest.contributes;
  const registered = await window.evaluate('listRegistered');
  const known = new Set([...registered.commands, ...registered.tools]);
  const inMenus = Object.values(menus).flatMap(entries => entries.flatMap(({ command }) => command ?? []));
  const focused = Object.values(views).flatMap(list => list.map(({ id }) => `${id}.focus`));
  return [
    ...commands.map(({ command }) => command),
    ...inMenus,
    ...focused,
    ...languageModelTools.map(tool => tool.name),
  ].filter(contributed => !known.has(contributed));
}

async function expectAllRegistered(window: Workbench): Promise<void> {
  expect(await findUnregistered(window)).toEqual([]);
  expect(await toast(window, missing).count()).toBe(0);
}

async function runMainCommands(window: Workbench): Promise<void> {
  const { page } = window;
  await window.runCommand('Folio: Focus Panel');
  const panel = window.panel();
  await panel.getByRole('textbox', { name: 'Ask Folio' }).waitFor();
  await window.runCommand('Folio: Compress Context');
  await toast(window, 'There is nothing to compress yet.').waitFor();
  await window.runCommand('Folio: Open Changes');
  await toast(window, 'Folio has changed no files in this session.').waitFor();
  await window.runCommand('Folio: Outline');
  await panel.getByText('No chapters yet.').waitFor();
  await page.keyboard.press('Escape');
  for (const picker of ['Set Approval Mode', 'Select Model', 'Show Memory']) {
    await window.runCommand(`Folio: ${picker}`);
    await page.keyboard.press('Escape');
  }
  for (const view of ['Show MCP Servers', 'Show Permissions', 'Session History', 'New Session'])
    await window.runCommand(`Folio: ${view}`);
  await panel.getByText('Describe a task.').waitFor();
  await window.runCommand('Folio: Open Log');
  await logIsShown(window);
  expect(await page.locator('.notification-toast', { hasText: /not found|could not/ }).count()).toBe(0);
}

async function logIsShown({ page }: Workbench): Promise<void> {
  const channel = page.locator('.part.panel select').first();
  await until('the log is shown', async () => (await channel.inputValue()) === 'Folio');
}

async function changeManifest(folder: string, change: (manifest: Manifest) => void): Promise<void> {
  const file = join(folder, 'package.json');
  const manifest: Manifest = JSON.parse(await readFile(file, 'utf8'));
  change(manifest);
  await writeFile(file, JSON.stringify(manifest));
}

function toast({ page }: Workbench, sentence: string) {
  return page.locator('.notification-toast', { hasText: sentence });
}
