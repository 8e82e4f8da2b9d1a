import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isAlive } from '../../src/extension/node/files/fileLock.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { ask, asked, expectPlayed, reported, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a session goes on while no window is open, and comes back with all that happened', async ({
  suite,
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({ 'notes.txt': 'line 1\nline 2\n' });
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  onTestFinished(() => endHost(suite.home));
  const panel = await window.openPanel();
  gemini.script(
    [call('write_todos', { todos: [{ description: 'Rename line 1', status: 'in_progress' }] })],
    [text('I begin.'), hang],
  );
  await ask(panel, 'Rename the first line.');
  await panel.getByText('I begin.').waitFor();

  // It is in the middle of an answer. The host asks the model once more.
  let letGo = () => {};
  const away = new Promise<void>(resolve => {
    letGo = resolve;
  });
  gemini.script([
    { kind: 'wait', until: away },
    call('replace', {
      file_path: 'notes.txt',
      instruction: 'Edit.',
      old_string: 'line 1\n',
      new_string: 'first\n',
    }),
  ]);
  gemini.script([text('Renamed in the background.')]);
  await window.runCommand('Folio: Run in Background');
  await reported(window, 'continues in the background');
  await until('the host has asked', () => asked(gemini).length === 3);
  await window.runCommand('Folio: Session History');
  await panel.getByText('In the background').waitFor();
  await window.savePicture('background-list');

  await window.reload(async () => {
    letGo();
    await untilHolds(join(folder, 'notes.txt'), 'first\nline 2\n');
    await until('the host has ended', async () => (await findHost(suite.home)) === undefined);
  });
  await window.openPanel();
  await window.runCommand('Folio: Session History');
  await panel.getByText('Rename the first line.').first().click();
  await panel.getByText('Renamed in the background.').waitFor();
  await panel.getByText('I begin.').waitFor();
  // The change waits for review, and the list of tasks is as it was.
  await panel.getByText('Review', { exact: true }).waitFor();
  await panel.getByText('0 of 1 to-do').waitFor();
  await window.savePicture('background-back');
  expectPlayed(gemini);
});

test('a background session is shown live and answered, outlives its host, and comes back to the window', async ({
  suite,
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({});
  const gemini = await startGemini();
  const window = await openOwn({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  onTestFinished(() => endHost(suite.home));
  const panel = await window.openPanel();
  gemini.script([hang], [call('run_shell_command', { command: 'echo made > made.txt' })]);
  await ask(panel, 'Work for long.');
  await until('the window has asked', () => asked(gemini).length === 1);
  await ask(panel, '/background');
  await reported(window, 'continues in the background');
  await window.runCommand('Folio: Session History');
  // The list has the ask, which the panel shows as its card.
  await panel.getByText('echo made > made.txt').first().waitFor();
  await panel.getByText('Work for long.').first().click();
  await panel.getByText('Bring Back', { exact: true }).waitFor();
  await window.savePicture('background-live');
  gemini.script([text('I go on.'), hang]);
  await panel.getByRole('button', { name: 'Run', exact: true }).click();
  await untilHolds(join(folder, 'made.txt'), 'made\n');
  await panel.getByText('I go on.').waitFor();

  gemini.script([text('Again from here.'), hang]);
  await endHost(suite.home);
  await reported(window, 'stopped unexpectedly');
  await panel.getByText('Again from here.').waitFor();

  gemini.script([text('Here again.')], [text('Both are done.')]);
  await ask(panel, 'And this.');
  await panel.getByText('And this.').first().waitFor();
  await panel.getByText('Bring Back', { exact: true }).click();
  await panel.getByText('Here again.').waitFor();
  await panel.getByText('Both are done.').waitFor();
  await until('the host has ended', async () => (await findHost(suite.home)) === undefined);
  expect(await panel.getByText('Bring Back', { exact: true }).count()).toBe(0);
});

test('after a reload the side bar and a tab show sessions of the background again, live', {
  tags: ['journey'],
}, async ({ suite, openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({});
  const gemini = await startGemini();
  const window = await openOwn({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  onTestFinished(() => endHost(suite.home));
  const panel = await window.openPanel();
  for (const prompt of ['Work in a tab.', 'Work in the side bar.']) {
    const before = asked(gemini).length;
    gemini.script([hang], [text(`I begin: ${prompt}`), hang]);
    await ask(panel, prompt);
    await until('the window has asked', () => asked(gemini).length === before + 1);
    await ask(panel, '/background');
    await until('the host has asked', () => asked(gemini).length === before + 2);
  }
  await window.runCommand('Folio: Session History');
  await panel.getByRole('button', { name: /Work in a tab/ }).press('Control+Enter');
  await window.tab(0).getByText('I begin: Work in a tab.').waitFor();
  await window.openPanel();
  await panel.getByRole('button', { name: /Work in the side bar/ }).click();
  await panel.getByText('I begin: Work in the side bar.').waitFor();

  // In a browser VS Code writes every five seconds which tabs there are and what extensions keep.
  await window.page.waitForTimeout(6000);
  await window.reload();
  await window.openPanel();
  await panel.getByText('I begin: Work in the side bar.').waitFor();
  await panel.getByText('Bring Back', { exact: true }).waitFor();
  await window.tab(0).getByText('I begin: Work in a tab.').waitFor();
  await window.tab(0).getByText('Bring Back', { exact: true }).waitFor();
  await window.savePicture('background-reloaded');
  await ask(panel, 'And this.');
  await panel.getByText('And this.').first().waitFor();
  expect(asked(gemini)).toHaveLength(4);

  // VS Code gives the focus to the tab as its palette closes.
  await window.runCommand('Folio: Open Session in Editor');
  await window.tab(0).getByText('I begin: Work in the side bar.').waitFor();
  await panel.getByText('I begin: Work in the side bar.').waitFor({ state: 'detached' });
});

async function findHost(home: string): Promise<number | undefined> {
  const lock = await readFile(join(home, '.folio/background/lock'), 'utf8').catch(() => '');
  const pid = Number(lock.split(' ')[0]);
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

async function endHost(home: string): Promise<void> {
  const pid = await findHost(home);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}
