import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { initRepository } from '../support/gitRepository.ts';
import { ask, button, untilHolds } from './support/panelActions.ts';
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

test('an agent of another maker is added and works in the panel, without a model of Folio', async ({
  openOwn,
  makeFolder,
}) => {
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
  await answer(window, 'The program that speaks', `"${process.execPath}" --no-warnings "${scripted}"`);
  await answer(window, 'Its name in Folio', 'Scripted');
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
  await window.savePicture('other-agent-write');
});
