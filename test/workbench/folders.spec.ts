import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('without a folder Folio says so, and still answers', async ({ openOwn, startGemini }) => {
  const gemini = await startGemini();
  gemini.script(
    [call('read_file', { file_path: '/etc/hostname' })],
    [text('There is nothing that I may read.')],
  );
  const window = await openOwn({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await panel.getByText('No folder is open.').waitFor();
  await window.screenshot('no-folder');
  await ask(panel, 'What is here?');
  await panel.getByText('There is nothing that I may read.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.error).toBeTruthy();
  expectPlayed(gemini);
});

test('a large file is edited in place, and git is told of where there is a repository', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const line = (number: number) => `line ${number} of a file that is far too long to be read in one piece\n`;
  const lines = Array.from({ length: 200_000 }, (_, number) => line(number + 1));
  const folder = await makeWorkspace({ 'large.txt': lines.join('') });
  const gemini = await startGemini();
  gemini.script(
    [call('read_file', { file_path: 'large.txt', start_line: 150_000, end_line: 150_001 })],
    [
      call('replace', {
        file_path: 'large.txt',
        instruction: 'Change one line.',
        old_string: line(150_000),
        new_string: 'another line\n',
      }),
    ],
    [text('One line is another.')],
    [text('There is git now.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Change line 150000.');
  await button(panel, 'Open diff').click();
  await window.page.locator('.monaco-diff-editor').waitFor();
  await window.screenshot('large-file');
  await button(panel, 'Accept').click();
  await panel.getByText('One line is another.').waitFor();
  const [read, edit] = asked(gemini)
    .slice(1)
    .map(request => lastResults(request)[0]);
  expect(read?.output).toContain('line 150000 of');
  expect(edit?.output).toMatch(/Changed large\.txt: 1 line added, 1 removed/);
  lines[149_999] = 'another line\n';
  expect((await readFile(join(folder, 'large.txt'), 'utf8')) === lines.join('')).toBe(true);
  const system = () => JSON.stringify(lastAsked(gemini).body.systemInstruction);
  expect(system()).not.toContain('is a git repository');

  await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder });
  await window.runCommand('Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  await ask(panel, 'And now?');
  await panel.getByText('There is git now.').waitFor();
  expect(system()).toContain('is a git repository');
  expectPlayed(gemini);
});

test('folders of the user’s own settings are part of the workspace', async ({
  openOwn,
  makeFolder,
  writeHome,
  startGemini,
}) => {
  const folder = await makeFolder({ 'a.txt': 'of the workspace' });
  const other = await makeFolder({ 'b.txt': 'of the other' });
  await writeHome({ '.gemini/settings.json': JSON.stringify({ context: { includeDirectories: [other] } }) });
  const gemini = await startGemini();
  gemini.script(
    [call('read_file', { file_path: join(other, 'b.txt') })],
    [call('write_file', { file_path: join(other, 'new.txt'), content: 'new' })],
    [text('Both are there.')],
  );
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await openOwn({ folder, settings });
  const panel = await window.openPanel();
  await ask(panel, 'Work in both.');
  await panel.getByText('Both are there.').waitFor();
  expect(JSON.stringify(asked(gemini).map(request => lastResults(request)))).toContain('of the other');
  expect(await readFile(join(other, 'new.txt'), 'utf8')).toBe('new');
  expect(JSON.stringify(asked(gemini)[0])).toContain(other);
  expectPlayed(gemini);
});
