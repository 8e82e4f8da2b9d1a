import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describeContainer, installDevcontainer } from '../support/devcontainer.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, reported, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const command = 'Folio: New Session in a Container';
const tags = ['journey'];
const consent = ({ page }: Workbench) =>
  page.locator('.monaco-dialog-box', { hasText: 'run its commands in the container' });
/** VS Code takes its variables from a login shell. */
const pathWith = (bin: string) => ({ '.profile': `PATH=${bin}:$PATH\n` });
const shell = (line: string) => call('run_shell_command', { command: line, description: 'Looks' });

test('a session runs commands in the container that the user lets start, also after a reload, until it leaves', {
  tags,
}, async ({ openOwn, makeFolder, startGemini, writeHome }) => {
  const folder = await makeFolder({ 'notes.txt': 'one\n' });
  const standIn = await installDevcontainer(await makeFolder({}), folder);
  await describeContainer(folder, {
    initializeCommand: 'touch prepared',
    postCreateCommand: 'echo once >> created',
    mounts: ['source=/var/run/docker.sock,target=/var/run/docker.sock,type=bind'],
    runArgs: ['--privileged'],
    remoteEnv: { TOKEN: '${localEnv:MY_TOKEN}' },
  });
  await writeHome(pathWith(standIn.bin));
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  let panel = await window.openPanel();

  await window.runCommand(command);
  await consent(window)
    .getByText('runs on your computer, outside of the container: touch prepared')
    .waitFor();
  await window.savePicture('container-consent');
  await consent(window).getByRole('button', { name: 'Start Container' }).click();
  await panel.getByText(standIn.inside).waitFor();
  // It starts with the first command.
  expect(existsSync(join(folder, 'prepared'))).toBe(false);

  const edit = {
    file_path: `${standIn.inside}/notes.txt`,
    instruction: 'Edit.',
    old_string: 'one',
    new_string: '1',
  };
  gemini.script([shell('pwd > where')], [call('replace', edit)], [text('Both are done.')]);
  await ask(panel, 'Look where you are, then edit.');
  await button(panel, 'Run').click();
  await panel.getByText('Both are done.').waitFor();
  expect(await readFile(join(folder, 'where'), 'utf8')).toBe(`${standIn.inside}\n`);
  await untilHolds(join(folder, 'notes.txt'), '1\n');
  await window.savePicture('container');

  await window.reload();
  panel = await window.openPanel();
  await panel.getByText(standIn.inside).first().waitFor();
  gemini.script([shell('pwd >> where')], [text('Still there.')]);
  await ask(panel, 'Look again.');
  await button(panel, 'Run').click();
  await panel.getByText('Still there.').waitFor();

  await ask(panel, '/worktree leave');
  await button(panel, 'Leave Container').waitFor({ state: 'detached' });
  gemini.script([shell('pwd >> where')], [text('Back home.')]);
  await ask(panel, 'And now?');
  await button(panel, 'Run').click();
  await panel.getByText('Back home.').waitFor();
  expect(await readFile(join(folder, 'where'), 'utf8')).toBe(
    `${standIn.inside}\n${standIn.inside}\n${folder}\n`,
  );
  expect(await readFile(join(folder, 'created'), 'utf8')).toBe('once\n');
  expectPlayed(gemini);
});

test('what a container lacks is said, and nothing starts for a user who cancels', { tags }, async ({
  openOwn,
  makeFolder,
  writeHome,
}) => {
  const folder = await makeFolder({});
  const tools = await makeFolder({});
  await writeHome(pathWith(join(tools, 'bin')));
  const window = await openOwn({ folder });
  const panel = await window.openPanel();
  const start = async (words: string) => {
    await window.runCommand(command);
    await reported(window, words);
  };

  await start('The Dev Containers CLI is missing. Install it: npm install -g @devcontainers/cli');
  const { bin } = await installDevcontainer(tools, folder);
  // This machine may have an engine that answers.
  await symlink(join(bin, 'docker'), join(bin, 'podman'));
  await writeFile(join(bin, 'down'), '');
  await start('Cannot connect to the Docker daemon');
  await rm(join(bin, 'down'));
  await start('The workspace has no .devcontainer/devcontainer.json');

  await describeContainer(folder, { initializeCommand: 'touch prepared' });
  await window.runCommand(command);
  await consent(window).getByRole('button', { name: 'Cancel' }).click();
  await reported(window, 'The container is not started.');
  expect(await button(panel, 'Leave Container').count()).toBe(0);
  expect(existsSync(join(folder, 'prepared'))).toBe(false);
});

test('a restricted workspace starts no container', { tags }, async ({ openOwn, makeFolder, writeHome }) => {
  const folder = await makeFolder({});
  const { bin } = await installDevcontainer(await makeFolder({}), folder);
  await describeContainer(folder, { initializeCommand: 'touch prepared' });
  await writeHome(pathWith(bin));
  const window = await openOwn({
    folder,
    settings: { 'security.workspace.trust.enabled': true },
  });
  await window.openPanel();
  await window.runCommand(command);
  await reported(
    window,
    'The workspace is restricted, so no worktree is made of it, and no container started.',
  );
  expect(existsSync(join(bin, 'calls'))).toBe(false);
});
