import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, typeKey } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('the walkthrough shows its pictures and completes itself as things are done', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'sheep.txt': 'one\n' });
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await openOwn({ folder, settings, env: { GEMINI_API_KEY: undefined } });
  // Beside the side bar there is no room for pictures.
  await window.evaluate('executeCommand', 'workbench.action.closeSidebar');
  await window.evaluate('executeCommand', 'workbench.action.openWalkthrough', 'folio.folio#start');
  await step(window, 'connect').waitFor();
  expect(await done(window)).toEqual([]);
  for (const name of ['ask', 'decide', 'chapters', 'memory', 'connect']) {
    await step(window, name).click();
    await picture(window).waitFor();
    await window.screenshot(`walkthrough-${name}`);
  }

  const panel = await window.openPanel();
  await panel.getByRole('button', { name: /^Gemini API key/ }).click();
  await typeKey(window, 'right');
  await panel.getByText('Describe a task.', { exact: false }).waitFor();
  await untilDone(window, ['connect']);

  gemini.script(
    [call('create_new_topic', { title: 'Counting sheep' }), ...overwrite('sheep.txt', 'one\ntwo\n')],
    [text('Two sheep.')],
    [text('The memory file is there.')],
  );
  await ask(panel, 'Count the sheep.');
  await button(panel, 'Accept').click();
  await panel.getByText('Two sheep.').waitFor();
  await untilDone(window, ['connect', 'ask', 'decide']);
  await panel
    .getByRole('button', { name: /Counting sheep/ })
    .first()
    .click();
  await untilDone(window, ['connect', 'ask', 'decide', 'chapters']);
  await window.runCommand('Folio: Create Memory File');
  await untilDone(window, ['connect', 'ask', 'decide', 'chapters', 'memory']);
  await panel.getByText('The memory file is there.').waitFor();
  expectPlayed(gemini);
});

async function untilDone(window: Workbench, steps: readonly string[]): Promise<void> {
  await expect.poll(() => done(window)).toEqual(steps);
}

function step({ page }: Workbench, name: string) {
  return page.locator(`.getting-started-step[data-step-id="folio.folio#start#${name}"]`);
}

/** In the order of the steps. */
async function done({ page }: Workbench): Promise<readonly string[]> {
  const ids = await page
    .locator('.getting-started-step [data-done-step-id][aria-checked=true]')
    .evaluateAll(marks => marks.map(mark => (mark as HTMLElement).dataset.doneStepId ?? ''));
  return [...new Set(ids.map(id => id.replace(/^.*#/, '')))];
}

function picture({ page }: Workbench) {
  return page
    .frameLocator(
      '.gettingStartedContainer iframe.webview, iframe.webview:not([src*="extensionId=folio.folio"])',
    )
    .frameLocator('iframe#active-frame')
    .locator('svg text')
    .first();
}
