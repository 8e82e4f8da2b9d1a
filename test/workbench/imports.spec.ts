/* Sessions from elsewhere: of another agent, from a file, from an address. */

import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { ask, expectPlayed, lastAsked, lens, reported, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const at = '2026-03-01T10:00:00.000Z';

/** A session of Claude Code in this folder, by the description of its format. */
function claudeSession(folder: string): Readonly<Record<string, string>> {
  const line = (type: string, uuid: string, parentUuid: string | null, message: object) =>
    JSON.stringify({
      type,
      uuid,
      parentUuid,
      message,
      cwd: folder,
      sessionId: 'c1',
      timestamp: at,
      isSidechain: false,
    });
  const said = (id: string, ...content: readonly object[]) => ({
    id,
    role: 'assistant',
    model: 'm',
    content,
  });
  const lines = [
    line('user', 'u1', null, { role: 'user', content: 'Fix the cart.' }),
    line(
      'assistant',
      'u2',
      'u1',
      said('m1', { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'cart.js' } }),
    ),
    line('user', 'u3', 'u2', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'let a;' }],
    }),
    line('assistant', 'u4', 'u3', said('m2', { type: 'text', text: 'The cart is mended.' })),
    '{"type":"a kind of tomorrow"}',
    line('user', 'u5', 'u4', { role: 'user', content: 'Now the till.' }),
    line('assistant', 'u6', 'u5', said('m3', { type: 'text', text: 'The till rings.' })),
  ];
  return { [`.claude/projects/${folder.replace(/[^a-zA-Z0-9]/g, '-')}/c1.jsonl`]: `${lines.join('\n')}\n` };
}

const row = ({ page }: Workbench, name: string) =>
  page.locator('.quick-input-list [role="option"]').filter({ hasText: name }).first();

async function answer({ page }: Workbench, value: string): Promise<void> {
  const input = page.locator('.quick-input-widget input').first();
  await until('VS Code asks for it', async () => {
    await input.fill(value);
    return (await input.inputValue()) === value;
  });
  await input.press('Enter');
}

test('a session of another agent and one of a file open with their chapters, go on, and no address of this machine is fetched', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini, writeHome }) => {
  const gemini = await startGemini();
  const folder = await makeFolder({ 'note.txt': 'one\n' });
  const elsewhere = await makeFolder({});
  const builder = await makeFolder({ 'note.txt': 'one\n' });
  await writeHome(claudeSession(folder));

  // A run of another machine leaves a file of its session.
  const file = join(elsewhere, 'session.jsonl');
  gemini.script(
    [call('read_file', { file_path: 'note.txt' })],
    [call('write_file', { file_path: 'note.txt', content: 'two\n' })],
    [text('The builder wrote two.')],
  );
  const places = [
    '--workspace',
    builder,
    '--session-dir',
    join(elsewhere, 'sessions'),
    '--session-file',
    file,
  ];
  const options = ['--prompt', 'Write two', '--approval-mode', 'yolo', '--base-url', gemini.baseUrl];
  const built = await runHeadless({ args: [...places, ...options], env: { GEMINI_API_KEY: 'test' } });
  expect(built).toMatchObject({ code: 0, error: '' });

  const window = await openOwn({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();

  await window.runCommand('Folio: Open Session of Another Agent…');
  await row(window, 'Claude Code').getByText('2 prompts').waitFor();
  await window.savePicture('import-agents');
  await row(window, 'Fix the cart.').click();
  await panel.getByRole('heading', { name: 'Now the till.' }).first().waitFor();
  await panel.getByRole('heading', { name: 'Fix the cart.' }).first().waitFor();
  await panel.getByText('The till rings.').first().waitFor();
  await window.savePicture('import-agent');
  gemini.script([text('It rings on.')]);
  await ask(panel, 'Go on.');
  await panel.getByText('It rings on.').waitFor();
  const sent = JSON.stringify(lastAsked(gemini).body.contents);
  for (const words of ['held with Claude Code', 'Fix the cart.', 'let a;', 'The cart is mended.'])
    expect(sent).toContain(words);

  // The changes of a file come as hunks, once the user lets them be written.
  const place = async (name: string) => {
    await window.runCommand('Folio: Open Session from File or Address…');
    await row(window, name).click();
  };
  await place('From a File…');
  await answer(window, file);
  const question = page
    .getByRole('dialog')
    .filter({ hasText: 'Write the change of this session to 1 file?' });
  await question.getByText('note.txt').first().waitFor();
  await question.getByRole('button', { name: 'Write Changes' }).click();
  await panel.getByText('The builder wrote two.').waitFor();
  await untilHolds(join(folder, 'note.txt'), 'two\n');
  await window.evaluate('openFile', join(folder, 'note.txt'));
  await until('its hunk waits', async () => (await lens(page, 'Reject').count()) === 1);
  await window.savePicture('import-file');
  await lens(page, 'Reject').click();
  await untilHolds(join(folder, 'note.txt'), 'one\n');
  gemini.script([text('I know of two.')]);
  await ask(panel, 'What did you write?');
  await panel.getByText('I know of two.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toContain('The builder wrote two.');

  // A rule may let an address be asked for; one of this machine is never fetched.
  await place('From an Address…');
  await answer(window, 'http://models.example/session.jsonl');
  await page.getByText('Type an address that begins with https://.').first().waitFor();
  await answer(window, 'https://127.0.0.1/session.jsonl');
  const fetching = page.getByRole('dialog').filter({ hasText: 'Fetch a session from 127.0.0.1' });
  await fetching.getByRole('button', { name: 'Fetch' }).click();
  await reported(window, '127.0.0.1 is an address of this machine or a private network');
  await panel.getByText('I know of two.').waitFor();
  expectPlayed(gemini);
});
