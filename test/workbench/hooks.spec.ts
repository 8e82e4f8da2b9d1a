import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const guard = 'cat > told.json; echo "Drafts only, says the guard." >&2; exit 2';

function settingsOf(command: string): string {
  const hooks = [{ type: 'command', name: 'guard', command }];
  return JSON.stringify({ hooks: { BeforeTool: [{ matcher: 'write_file', hooks }] } });
}

test('a hook of the workspace is shown before it runs, blocks with its reason, and waits again once it is changed', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ '.gemini/settings.json': settingsOf(guard) });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const unseen = panel.getByRole('region', { name: 'This workspace wants to add 1 hook' });
  await unseen.getByText(guard).waitFor();
  await window.screenshot('hooks-unseen');
  // With another branch the folder goes, and comes again, as a whole.
  await rename(join(folder, '.gemini'), join(folder, 'elsewhere'));
  await unseen.waitFor({ state: 'detached' });
  await rename(join(folder, 'elsewhere'), join(folder, '.gemini'));
  await unseen.getByText(guard).waitFor();
  await unseen.getByRole('button', { name: '.gemini/settings.json' }).click();
  await expect
    .poll(async () => (await window.evaluate('listTabs')).map(({ label }) => label))
    .toEqual(['settings.json']);
  await unseen.getByRole('button', { name: 'Allow' }).click();
  await unseen.waitFor({ state: 'detached' });

  const write = call('write_file', { file_path: 'new.txt', content: 'new\n' });
  gemini.script([write], [text('The guard is against it.')]);
  await ask(panel, 'Write it.');
  await panel.getByText('The guard is against it.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.error).toContain('Drafts only, says the guard.');
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  expect(JSON.parse(await readFile(join(folder, 'told.json'), 'utf8'))).toMatchObject({
    hook_event_name: 'BeforeTool',
    tool_name: 'write_file',
    tool_input: { file_path: 'new.txt' },
  });
  const card = panel.getByRole('group', { name: /^Hook guard, blocked/ });
  await card.getByText('Drafts only, says the guard.').first().waitFor();
  await card.locator('[data-toggle]').click();
  await window.screenshot('hook-blocked');

  await writeFile(join(folder, '.gemini', 'settings.json'), settingsOf('touch ran; exit 2'));
  await unseen.getByText('touch ran; exit 2').waitFor();
  await unseen.getByRole('button', { name: 'Not now' }).click();
  await unseen.waitFor({ state: 'detached' });
  gemini.script([write], [text('Now it is written.')]);
  await ask(panel, 'And now?');
  await button(panel, 'Accept').click();
  await panel.getByText('Now it is written.').waitFor();
  expect(existsSync(join(folder, 'new.txt'))).toBe(true);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expectPlayed(gemini);
});

test('a hook that was refused is decided on again from the list, by key, and what was let is withdrawn there by mouse', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ '.gemini/settings.json': settingsOf(guard) });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  const unseen = panel.getByRole('region', { name: 'This workspace wants to add 1 hook' });
  await unseen.getByRole('button', { name: 'Not now' }).click();
  await unseen.waitFor({ state: 'detached' });

  const rows = page.locator('.quick-input-list [role="option"]');
  await window.runCommand('Folio: Show Hooks');
  await rows.filter({ hasText: 'does not run: you refused it' }).waitFor();
  await window.screenshot('hooks-refused');
  await page.keyboard.type('guard');
  await expect.poll(() => rows.count()).toBe(1);
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'Decide again in the panel' }).waitFor();
  await window.screenshot('hooks-again');
  await page.keyboard.press('Enter');
  await unseen.getByText(guard).waitFor();
  await unseen.getByRole('button', { name: 'Allow' }).click();
  await unseen.waitFor({ state: 'detached' });

  await window.runCommand('Folio: Show Hooks');
  await rows.filter({ hasText: 'guard' }).click();
  await rows.filter({ hasText: 'Refuse it' }).click();
  await rows.filter({ hasText: 'does not run: you refused it' }).waitFor();
  await page.keyboard.press('Escape');

  gemini.script([call('write_file', { file_path: 'new.txt', content: 'new\n' })], [text('Written.')]);
  await ask(panel, 'Write it.');
  await button(panel, 'Accept').click();
  await panel.getByText('Written.').waitFor();
  expect(existsSync(join(folder, 'new.txt'))).toBe(true);
  expect(existsSync(join(folder, 'told.json'))).toBe(false);
  expectPlayed(gemini);
});
