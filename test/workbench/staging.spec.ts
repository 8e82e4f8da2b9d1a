import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { ask, button, expectPlayed, lens, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const after = 'one\nTWO\nthree\nfour\nFIVE\nsix\n';

test('a change that is staged or committed is accepted, and one that is discarded rejected, without a question', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  await initRepository(folder, { 'notes.txt': before, 'list.txt': before, 'early.txt': before });
  // The index holds by chance what the agent is going to write: nobody has decided by that.
  await writeFile(join(folder, 'early.txt'), after);
  await git(folder, 'add', 'early.txt');
  await writeFile(join(folder, 'early.txt'), before);
  const gemini = await startGemini();
  gemini.script(
    [...overwrite('notes.txt', after), ...overwrite('list.txt', after), ...overwrite('early.txt', after)],
    [text('Written.')],
  );
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Write.');
  await panel.getByText('Written.').waitFor();
  await window.evaluate('openFile', join(folder, 'notes.txt'), 2);
  await lens(page, 'Accept all 2').waitFor();

  await window.evaluate('openFile', join(folder, 'early.txt'));
  await lens(page, 'Accept all 2').click();
  await until('nothing waits in the file', async () => (await lens(page, 'Accept').count()) === 0);
  await window.evaluate('openFile', join(folder, 'notes.txt'), 2);

  // One hunk is staged from the editor, the other by a commit of the whole file.
  await until('the hunk at the cursor is staged', async () => {
    await window.evaluate('executeCommand', 'git.stageSelectedRanges');
    const staged = await git(folder, 'diff', '--cached', 'notes.txt');
    if (staged.includes('-two') && staged.includes('+TWO')) return true;
    // While VS Code still compares, it may stage the new line and keep the old one.
    if (staged !== '') await git(folder, 'reset', '-q', 'notes.txt');
    return false;
  });
  expect(await git(folder, 'diff', '--cached', 'notes.txt')).not.toContain('FIVE');
  await until('one hunk is left', async () => (await lens(page, 'Accept').count()) === 1);
  await window.screenshot('staged-hunk');
  await git(folder, 'add', 'notes.txt');
  await git(folder, 'commit', '-qm', 'Notes');
  await until('nothing waits in the file', async () => (await lens(page, 'Accept').count()) === 0);

  // While nobody is there.
  await window.evaluate('openFile', join(folder, 'list.txt'));
  await lens(page, 'Accept all 2').waitFor();
  await window.reload(async () => {
    await git(folder, 'apply', '--cached', await writeFirstHunk(folder));
  });
  await window.openPanel();
  await window.evaluate('openFile', join(folder, 'list.txt'));
  await until('one hunk is left', async () => (await lens(page, 'Accept').count()) === 1);
  await git(folder, 'checkout', '--', 'list.txt');
  await until('nothing waits any more', async () => (await lens(page, 'Accept').count()) === 0);
  await until(
    'the panel has nothing to review',
    async () => !(await panel.getByRole('region', { name: 'Changes to review' }).isVisible()),
  );
  expectPlayed(gemini);
});

test.skipIf(process.platform === 'win32')(
  'a mode and a link alone are accepted by staging and rejected by discarding',
  { tags: ['journey'] },
  async ({ open, makeWorkspace, startGemini }) => {
    const folder = await makeWorkspace({});
    await initRepository(folder, { 'a.sh': 'a\n', 'b.sh': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    const gemini = await startGemini();
    const command = 'chmod +x a.sh b.sh && ln -sf a.sh c.txt && ln -sf a.sh d.txt';
    gemini.script([call('run_shell_command', { command })], [text('Changed.')]);
    const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
    const panel = await window.openPanel();
    await ask(panel, 'Change.');
    await button(panel, 'Run').click();
    await panel.getByText('Changed.').waitFor();
    const strip = panel.getByRole('region', { name: 'Changes to review' });
    await strip.getByText('4 files').waitFor();
    // Who stages has seen the files in source control before.
    await window.page.getByRole('tab', { name: /Source Control.*4 pending changes/ }).waitFor();
    await git(folder, 'add', 'a.sh');
    await strip.getByText('3 files').waitFor();
    await git(folder, 'add', 'c.txt');
    await strip.getByText('2 files').waitFor();
    await git(folder, 'checkout', '--', 'b.sh');
    await strip.getByText('1 file').waitFor();
    await git(folder, 'checkout', '--', 'd.txt');
    await until('nothing waits any more', async () => !(await strip.isVisible()));
    expectPlayed(gemini);
  },
);

test.skipIf(process.platform === 'win32')(
  'what is no text is accepted by staging, also while a command runs and as it ends, but not by a command’s own git',
  { tags: ['journey'] },
  async ({ open, makeWorkspace, startGemini }) => {
    const folder = await makeWorkspace({});
    const pictures = ['a.png', 'b.png', 'c.png', 'd.png'];
    await initRepository(folder, Object.fromEntries(pictures.map(name => [name, 'a\0\n'])));
    const change = pictures.map(name => `printf 'b\\0\\n' > ${name}`).join('; ');
    const wait = 'touch begun; until [ -e go ]; do sleep 0.1; done; rm begun go';
    const gemini = await startGemini();
    gemini.script(
      [call('run_shell_command', { command: change })],
      [text('Changed.')],
      // The index holds what another command has put there.
      [call('run_shell_command', { command: 'git add a.png' })],
      [text('Added.')],
      [call('run_shell_command', { command: wait })],
      [text('Waited.')],
    );
    // The Git extension is no help: it also passes over what comes while it asks Git.
    const settings = { 'folio.baseUrl': gemini.baseUrl, 'git.autorefresh': false };
    const window = await open({ settings });
    const panel = await window.openPanel();
    const strip = panel.getByRole('region', { name: 'Changes to review' });
    const run = async (prompt: string) => {
      await ask(panel, prompt);
      await button(panel, 'Run').click();
    };
    await run('Change.');
    await panel.getByText('Changed.').waitFor();
    await strip.getByText('4 files').waitFor();
    await run('Add.');
    await panel.getByText('Added.').waitFor();

    // While a command runs, and in the moment in which it ends.
    await run('Wait.');
    await until('the command runs', () => existsSync(join(folder, 'begun')));
    await git(folder, 'add', 'b.png');
    await strip.getByText('3 files').waitFor();
    await writeFile(join(folder, 'go'), '');
    await until('the command is at its end', () => !existsSync(join(folder, 'go')));
    await git(folder, 'add', 'c.png');
    await panel.getByText('Waited.').waitFor();
    await strip.getByText('2 files').waitFor();

    // What the command had put into the index still waits, until the user commits it.
    await git(folder, 'add', 'd.png');
    await strip.getByText('1 file').waitFor();
    await git(folder, 'commit', '-qm', 'Pictures');
    await until('nothing waits any more', async () => !(await strip.isVisible()));
    expectPlayed(gemini);
  },
);

/** A patch of the first of both changes of `list.txt`; returns its name. */
async function writeFirstHunk(folder: string): Promise<string> {
  const patch = join(folder, '.git', 'first.patch');
  const diff = '--- a/list.txt\n+++ b/list.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';
  await writeFile(patch, diff);
  return patch;
}
