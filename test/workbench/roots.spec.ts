import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastPrompt, lastResults } from '../support/geminiServer.ts';
import { initRepository } from '../support/gitRepository.ts';
import { ask, asked, button, completions, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { type MakeFolder, test } from './support/suite.ts';

test('in three folders Folio searches, reads, writes and runs, and says of each path whose it is', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const top = await makeThree(makeFolder);
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await openOwn({ folder: join(top, 'three.code-workspace'), settings });
  const panel = await window.openPanel();

  // What any of the folders brings is asked about, with the folder that brings it.
  const unseen = panel.getByRole('region', { name: /^This workspace wants to add/ });
  await unseen.getByRole('button', { name: 'gamma/.gemini/settings.json' }).waitFor();
  await window.screenshot('roots-consent');
  await unseen.getByRole('button', { name: 'Allow' }).click();

  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill('');
  await field.pressSequentially('@list');
  await completions(panel, /list\.txt.*gamma/).waitFor();
  await field.press('Tab');
  await until('the file is named with its folder', async () =>
    (await field.inputValue()).startsWith('@gamma/list.txt'),
  );
  gemini.script(
    [
      call('grep_search', { pattern: 'sheep' }),
      call('read_file', { file_path: 'beta/src/herd.ts' }),
      call('run_shell_command', { command: 'git status --short', dir_path: 'beta', description: 'Looks' }),
    ],
    [call('write_file', { file_path: 'beta/src/new.ts', content: 'export const lamb = 1;\n' })],
    [text('Counted in three folders.')],
  );
  await field.fill('Compare @gamma/list.txt with @diff');
  await field.press('End');
  await field.press('Escape');
  await field.press('Enter');
  await panel
    .getByRole('group', { name: /beta\/src\/new\.ts/ })
    .first()
    .waitFor();
  await window.screenshot('roots-ask');
  await button(panel, 'Accept').click();
  await panel.getByText('Counted in three folders.').waitFor();

  const [first, second] = asked(gemini);
  const system = JSON.stringify(first?.body.systemInstruction);
  for (const name of ['Alpha', 'Beta', 'Gamma']) expect(system).toContain(`${name} is remembered.`);
  expect(system).toContain('is a git repository');
  const sent = JSON.stringify(first?.body.contents?.at(-1));
  expect(sent).toContain('a sheep on a list');
  expect(sent).toContain('+export const herd = 3;');
  const [found, read, status] = lastResults(second!);
  for (const file of ['notes.txt', 'herd.ts', 'list.txt']) expect(found?.output).toContain(file);
  expect(read?.output).toContain('export const herd = 3;');
  expect(status?.output).toContain('M src/herd.ts');
  expect(existsSync(join(top, 'beta', 'src', 'new.ts'))).toBe(true);
  expect(existsSync(join(top, 'gamma', 'told'))).toBe(true);

  // A file of the second folder goes along as itself, not as one of the same path in the first.
  gemini.script([text('That is the second.')]);
  await window.evaluate('openFile', join(top, 'beta', 'notes.txt'));
  await window.runCommand('Add Selection to Folio Prompt');
  // The active file is named beside it: only what was added can be removed.
  await panel.getByRole('button', { name: /^Remove .*notes\.txt/ }).waitFor();
  await ask(panel, 'And this one?');
  await panel.getByText('That is the second.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents?.at(-1))).toContain('a sheep of beta');

  gemini.script([text('Looked around.')]);
  await ask(panel, '/team:look here');
  await panel.getByText('Looked around.').waitFor();
  expect(lastPrompt(lastAsked(gemini))).toContain('Look at here');
  await window.screenshot('roots');
  expectPlayed(gemini);
});

/** The same names in several folders, and in each something that only a workspace brings. */
async function makeThree(makeFolder: MakeFolder): Promise<string> {
  const hooks = [{ type: 'command', name: 'teller', command: 'touch ../gamma/told' }];
  const top = await makeFolder({
    'three.code-workspace': JSON.stringify({
      folders: [{ path: 'alpha' }, { path: 'beta' }, { path: 'gamma' }],
    }),
    'alpha/GEMINI.md': 'Alpha is remembered.\n',
    'alpha/notes.txt': 'a sheep of alpha\n',
    'beta/GEMINI.md': 'Beta is remembered.\n',
    'beta/src/herd.ts': 'export const herd = 2; // sheep\n',
    'beta/notes.txt': 'a sheep of beta\n',
    'gamma/GEMINI.md': 'Gamma is remembered.\n',
    'gamma/list.txt': 'a sheep on a list\n',
    'gamma/.gemini/settings.json': JSON.stringify({
      hooks: { BeforeTool: [{ matcher: 'write_file', hooks }] },
    }),
    'gamma/.gemini/commands/team/look.toml': 'description = "Looks around"\nprompt = "Look at {{args}}"\n',
  });
  await initRepository(join(top, 'beta'), {});
  await writeFile(join(top, 'beta', 'src', 'herd.ts'), 'export const herd = 3;\n// sheep\n');
  return top;
}
