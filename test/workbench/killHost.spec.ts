import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { isAlive } from '../support/isAlive.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a kill of the extension host in the middle of a turn loses no chapter, no edit and no finished call', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const edit = { file_path: 'notes.txt', instruction: 'Count.', old_string: 'one', new_string: '1' };
  const command = 'sleep 1000 & echo $! > child.pid; echo started; wait';
  gemini.script(
    [call('create_new_topic', { title: 'Reading the notes' }), call('read_file', { file_path: 'notes.txt' })],
    [call('create_new_topic', { title: 'Changing the notes' }), call('replace', edit)],
    [text('It is a digit now.'), call('run_shell_command', { command, description: 'Waits' })],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  await ask(panel, 'Write the number as a digit.');
  await button(panel, 'Accept').click();
  await button(panel, 'Run').click();
  await panel.getByText('started', { exact: true }).waitFor();
  const child = Number(await readFile(join(folder, 'child.pid'), 'utf8'));

  await window.crashHost();
  panel = await window.openPanel();
  await panel.getByRole('group', { name: /^Run sleep 1000.*Ended by/ }).waitFor();
  expect(await panel.locator('[data-chapter-heading] .chapter-title').allTextContents()).toEqual([
    'Reading the notes',
    'Changing the notes',
  ]);
  await panel.getByText('It is a digit now.').waitFor();
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('1\n');
  await until('the child of the command is gone', () => !isAlive(child));
  await window.screenshot('host-killed');

  // No Continue: the user just says the next thing.
  gemini.script([call('read_file', { file_path: 'notes.txt' })], [text('The notes say 1.')]);
  await ask(panel, 'What do they say?');
  await panel.getByText('The notes say 1.').waitFor();
  const reported = JSON.stringify(lastAsked(gemini).body.contents);
  for (const said of [
    'Topic changed to: \\"Changing the notes\\"',
    'Write the number as a digit.',
    'It is a digit now.',
    'Ended by the end of Folio before it finished',
  ])
    expect(reported).toContain(said);
  expectPlayed(gemini);
});

test('a kill of the extension host while the model speaks or a user is asked, twice in a row, leaves a session that continues', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  gemini.script([text('Once upon a time\nthere was '), hang]);
  await ask(panel, 'Tell me a story.');
  await panel.getByText('there was').waitFor();
  await window.crashHost();
  await until('the request was given up', () => lastAsked(gemini).signal.aborted);

  panel = await window.openPanel();
  await panel.getByText('Tell me a story.').first().waitFor();
  gemini.script([call('write_file', { file_path: 'story.txt', content: 'A story.\n' })]);
  await ask(panel, 'Write it down.');
  await button(panel, 'Accept').waitFor();
  await window.crashHost();

  panel = await window.openPanel();
  await panel.getByRole('group', { name: /story\.txt, Interrupted/ }).waitFor();
  expect(await button(panel, 'Accept').count()).toBe(0);
  gemini.script(
    [call('write_file', { file_path: 'story.txt', content: 'A story.\n' })],
    [text('Written down.')],
  );
  await button(panel, 'Continue').click();
  await button(panel, 'Accept').click();
  await panel.getByText('Written down.').waitFor();
  expect(await readFile(join(folder, 'story.txt'), 'utf8')).toBe('A story.\n');
  const reported = JSON.stringify(lastAsked(gemini).body.contents);
  for (const said of ['Tell me a story.', 'Write it down.']) expect(reported.split(said)).toHaveLength(2);
  expectPlayed(gemini);
});
