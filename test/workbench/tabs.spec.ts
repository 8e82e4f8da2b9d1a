import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import { limit, type Workbench } from './support/workbench.ts';

test('sessions lie side by side in tabs, each with its own, and come back after a reload', async ({
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await openOwn({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  gemini.script([text('Hello to you.')]);
  await ask(panel, 'Hello.');
  await panel.getByText('Hello to you.').waitFor();

  // The session moves to a tab; the side bar begins another one.
  await window.runCommand('Folio: Open Session in Editor');
  const first = window.tab(0);
  await first.getByText('Hello to you.').waitFor();
  await untilTitles(window, ['Hello.']);
  await panel.getByText('Describe a task.').waitFor();

  // A second one waits for a decision in a tab of its own.
  await window.runCommand('Folio: New Session in Editor');
  const second = window.tab(1);
  await second.getByText('Describe a task.').waitFor();
  gemini.script([
    call('replace', { file_path: 'notes.txt', instruction: 'Count.', old_string: 'one', new_string: '1' }),
  ]);
  await ask(second, 'Write the number as a digit.');
  await button(second, 'Accept').waitFor();
  expect(await first.getByRole('log').getByText('Write the number as a digit.').count()).toBe(0);

  // What is asked in one goes to its own session, though another was used last.
  gemini.script([text('Still here.')]);
  await ask(first, 'And now?');
  await first.getByText('Still here.').waitFor();
  expect(await second.getByRole('log').getByText('And now?').count()).toBe(0);
  gemini.script([text('Now it is a digit.')]);
  await button(second, 'Accept').click();
  await second.getByText('Now it is a digit.').waitFor();
  await untilHolds(`${folder}/notes.txt`, '1\n');
  gemini.script([text('In the side bar.')]);
  await ask(panel, 'Where are you?');
  await panel.getByText('In the side bar.').waitFor();
  await window.savePicture('tabs');

  const draft = (page: FrameLocator) => page.getByRole('textbox', { name: 'Ask Folio' });
  // Each page gets the answer to what it asks, and the extension host has the draft by then.
  for (const [page, words] of [
    [first, 'The first has @note'],
    [second, 'The second has @note'],
  ] as const) {
    await draft(page).fill(words);
    await page.getByRole('option', { name: 'notes.txt' }).waitFor();
  }
  await window.reload();
  const firstAgain = await findTab(window, 'Still here.');
  const again = await findTab(window, 'Now it is a digit.');
  await (await window.openPanel()).getByText('In the side bar.').waitFor();
  await expect.poll(() => draft(firstAgain).inputValue(), { timeout: limit }).toBe('The first has @note');
  await expect.poll(() => draft(again).inputValue(), { timeout: limit }).toBe('The second has @note');
  expect(await draft(panel).inputValue()).toBe('');
  gemini.script([text('Continues.')]);
  await ask(again, 'Continue.');
  await again.getByText('Continues.').waitFor();

  // A tab that is closed leaves its session to the others.
  await window.runCommand('View: Close All Editors');
  await window.runCommand('Folio: Session History');
  await panel.getByText('Write the number as a digit.').first().click();
  await panel.getByText('Continues.').waitFor();
});

/** After a reload the pages of tabs come in any order. */
async function findTab(window: Workbench, text: string): Promise<FrameLocator> {
  const pages = [window.tab(0), window.tab(1)];
  const find = async () => {
    const counts = await Promise.all(pages.map(page => page.getByRole('log').getByText(text).count()));
    return pages[counts.findIndex(count => count > 0)];
  };
  await until(`a tab shows “${text}”`, async () => (await find()) !== undefined);
  return (await find())!;
}

async function untilTitles({ page }: Workbench, titles: readonly string[]): Promise<void> {
  await until(`the tabs are named ${titles.join(', ')}`, async () => {
    const shown = await page.locator('.tabs-container .tab .label-name').allInnerTexts();
    return JSON.stringify(shown) === JSON.stringify(titles);
  });
}
