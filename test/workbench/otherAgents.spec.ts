import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { initRepository } from '../support/gitRepository.ts';
import { ask, button, lens, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const scripted = join(projectRoot, 'test/external/support/scriptedAgent.ts');

/** Types into the field that asks for this. */
async function answer({ page }: Workbench, prompt: string, text: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  await widget.getByText(prompt).first().waitFor();
  await widget.locator('input').first().fill(text);
  await page.keyboard.press('Enter');
}

test('an agent of another maker is added and works in the panel, without a model of Folio', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder }) => {
  const folder = await makeFolder({});
  await initRepository(folder, { 'notes.txt': 'one\n' });
  const window = await openOwn({ folder, env: { GEMINI_API_KEY: undefined } });
  const panel = await window.openPanel();
  const notes = join(folder, 'notes.txt');
  await window.evaluate('openFile', notes);

  await window.runCommand('Folio: Add Agent…');
  await window.page
    .locator('.quick-input-list [role="option"]')
    .filter({ hasText: 'Custom command…' })
    .click();
  await answer(
    window,
    'A program that supports',
    `"${process.execPath}" --no-warnings "${scripted}" options`,
  );
  await answer(window, 'Name in Folio', 'Scripted');
  await panel.getByText('Scripted', { exact: true }).waitFor();
  await button(panel, 'Connect a model').waitFor({ state: 'detached' });
  expect(await window.readSettings()).toMatchObject({
    'folio.agents.external': { Scripted: { command: process.execPath } },
  });
  await window.savePicture('other-agent');

  // Its plan is a chapter, and its write asks on a card of Folio's.
  await ask(panel, 'plan Begin\nsay Hello\nwrite notes.txt two');
  await panel.getByText('Hello', { exact: true }).waitFor();
  await panel.getByRole('heading', { name: 'Begin' }).first().waitFor();
  await button(panel, 'Accept').click();
  await panel.getByText('wrote notes.txt').waitFor();
  await untilHolds(notes, 'two\n');

  // Where Folio's mode lets it write unasked, the change waits as a hunk.
  const approval = panel.getByRole('combobox', { name: 'Approval mode' });
  await approval.selectOption('autoEdit');
  await ask(panel, 'write notes.txt three');
  await untilHolds(notes, 'three\n');
  await until('a hunk waits', async () => (await lens(window.page, 'Accept').count()) === 1);
  await window.savePicture('other-agent-hunk');
  await lens(window.page, 'Reject').click();
  await untilHolds(notes, 'two\n');
  await approval.selectOption('default');

  // Its mode and model are chosen in the composer.
  const model = panel.getByRole('combobox', { name: 'Scripted: Model' });
  await model.selectOption({ label: 'Own: Large' });
  await ask(panel, 'switch code\nchosen');
  await panel.getByText('code large', { exact: true }).waitFor();
  await until('the mode is its own', async () => {
    const mode = panel.getByRole('combobox', { name: 'Scripted: Mode', exact: true });
    return (await mode.inputValue()) === 'code' && (await model.inputValue()) === 'large';
  });
  await window.savePicture('other-agent-model');

  // Its own ask is a card, and what is allowed there is not asked a second time.
  await ask(panel, 'ask notes.txt two three');
  await button(panel, 'Accept').click();
  await untilHolds(notes, 'three\n');
  await window.page.getByRole('button', { name: 'Folio is idle' }).waitFor();

  // Its command runs in Folio's terminal.
  await ask(panel, 'run echo made > made.txt; echo seen');
  await button(panel, 'Run').click();
  await panel.getByText('exit 0: seen').waitFor();
  expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('made\n');

  await ask(panel, 'say Lingering\nhang');
  await panel.getByText('Lingering', { exact: true }).waitFor();
  await button(panel, 'Stop (Escape)').click();
  await panel.getByRole('group', { name: 'Stopped.' }).first().waitFor();

  // Its end in the middle is one message, and the next prompt starts it again.
  await ask(panel, 'say Half\ncrash');
  const ended = panel.getByText('Scripted ended unexpectedly.');
  await ended.first().waitFor();
  expect(await ended.count()).toBe(1);
  await window.savePicture('other-agent-ended');
  await ask(panel, 'say Returned');
  await panel.getByText('Returned', { exact: true }).waitFor();
  await window.page.getByRole('button', { name: 'Folio is idle' }).waitFor();
});
