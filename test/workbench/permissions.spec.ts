import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

function run(command: string) {
  return [call('run_shell_command', { command, description: 'Does it' })];
}

test('what is always allowed runs unasked, is listed with its origin, and asks again once it is removed', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  let panel = await window.openPanel();
  gemini.script(run('touch one.txt'), run('touch two.txt'), run('mkdir three'), [text('All made.')]);
  await ask(panel, 'Make them.');
  await button(panel, 'Always run touch *').waitFor();
  await window.screenshot('ask-always');
  await button(panel, 'All choices').click();
  await panel.getByRole('menuitem', { name: 'Always run touch *, in this session' }).click();

  // The second file came without a question; what is asked about next has nothing to do with it.
  await button(panel, 'Always run mkdir *').waitFor();
  expect(existsSync(join(folder, 'two.txt'))).toBe(true);
  await button(panel, 'All choices').click();
  await panel.getByRole('menuitem', { name: 'Always run mkdir *, in this session' }).waitFor();
  await window.screenshot('ask-always-menu');
  await window.page.keyboard.press('Escape');
  await button(panel, 'Always run mkdir *').click();
  await panel.getByText('All made.').waitFor();

  // Of another session the first is unknown, the second is not.
  await window.crashHost();
  panel = await window.openPanel();
  await panel.getByText('All made.').waitFor();
  gemini.script(run('mkdir four'), run('touch five.txt'), [text('And these.')]);
  await ask(panel, 'More of them.');
  await button(panel, 'All choices').click();
  await panel.getByRole('menuitem', { name: 'Always run touch *, in this session' }).click();
  await panel.getByText('And these.').waitFor();
  expect(existsSync(join(folder, 'four'))).toBe(true);

  await window.runCommand('Folio: Show Permissions');
  await row(panel, 'Allow Commands touch *').getByText('You, in this session').waitFor();
  const kept = row(panel, 'Allow Commands mkdir *');
  await kept.getByText(`You, in ${folder}`).waitFor();
  await window.screenshot('permissions');
  await kept.getByRole('button', { name: `You, in ${folder}` }).click();
  const alwaysFile = await openedFile('/always.toml');
  expect(await readFile(alwaysFile, 'utf8')).toContain(folder);

  await removeByKeyboard(panel, 'Allow Commands touch *');
  await removeByKeyboard(panel, 'Allow Commands mkdir *', () => window.screenshot('permission-remove'));
  expect(await readFile(alwaysFile, 'utf8')).not.toContain(folder);
  await button(panel, 'Back to the session').click();

  gemini.script(run('mkdir six'), run('touch seven.txt'), [text('Asked twice.')]);
  await ask(panel, 'Once more.');
  await button(panel, 'Always run mkdir *').waitFor();
  expect(existsSync(join(folder, 'six'))).toBe(false);
  await button(panel, 'Run').click();
  await button(panel, 'Always run touch *').waitFor();
  await button(panel, 'Run').click();
  await panel.getByText('Asked twice.').waitFor();
  expectPlayed(gemini);

  async function openedFile(name: string): Promise<string> {
    const find = async () =>
      (await window.evaluate('listEditors')).map(({ uri }) => uri).find(uri => uri.endsWith(name));
    await until(`${name} is open`, async () => (await find()) !== undefined);
    return new URL((await find())!).pathname;
  }

  /** From the list: Delete asks, Enter says yes. */
  async function removeByKeyboard(list: FrameLocator, subject: string, scan?: () => Promise<void>) {
    await row(list, subject).focus();
    await page.keyboard.press('Delete');
    await row(list, subject).getByText('Remove this rule?').waitFor();
    await scan?.();
    await page.keyboard.press('Enter');
    await row(list, subject).waitFor({ state: 'detached' });
  }
});

function row(panel: FrameLocator, subject: string) {
  return panel.getByRole('listitem').filter({ hasText: subject });
}
