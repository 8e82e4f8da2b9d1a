import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, focusEditor, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const counted = `There are 4711 sheep. ${numbered(400, 'sheep graze on the northern meadow')}`;

const snapshot = `<scratchpad>I go through it.</scratchpad>
<state_snapshot>
<overall_goal>
The sheep are to be counted.
</overall_goal>
<key_knowledge>4711 sheep stand on the northern meadow.</key_knowledge>
</state_snapshot>`;

const summary = 'Summary of earlier chapters.xml';

test('a compression is looked at, edited, applied and undone, and what is sent can be read', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const gemini = await startGemini();
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  await window.runCommand('Folio: Show What Was Sent');
  await notice(window, 'Folio has sent nothing in this window yet.').waitFor();
  await window.runCommand('Folio: Compress Context');
  await notice(window, 'There is nothing to compress yet.').waitFor();

  gemini.script(
    [call('create_new_topic', { title: 'Counting sheep' })],
    [text(counted)],
    [call('create_new_topic', { title: 'Counting cows' })],
    [text(`Three cows. ${numbered(100, 'cows stand by the brook')}`)],
  );
  await ask(panel, 'Count the sheep.');
  await panel.getByText('There are 4711 sheep.').waitFor();
  await ask(panel, `Count the cows. My key is ${secret}.`);
  await panel.getByText('Three cows.').waitFor();
  await state(window, 'Folio is idle').waitFor();
  await showRequest(window);
  await openMeter(window, panel);

  gemini.script([text(snapshot)], [text(snapshot)]);
  await window.runCommand('Folio: Compress Context');
  await panel.getByRole('region', { name: /^Compress / }).waitFor();
  await window.screenshot('compression-preview');
  await window.runCommand('Folio: Compress Context');
  await notice(window, 'A summary is ready. Apply or discard it in the panel.').waitFor();

  await editSummary(window, panel);
  // In a browser VS Code writes it down every few seconds, and not when the page goes.
  await until('it is noted that the summary is open', async () =>
    (await notedEditors(window)).includes(summary),
  );
  await window.reload();
  panel = await window.openPanel();
  // The editor of before the reload holds what was saved.
  await until('the summary is there again', async () => (await editorText(window)).includes('41 of them'));
  await panel.getByRole('region', { name: /^Compress / }).waitFor();
  await button(panel, 'Apply').click();
  await button(panel, 'Undo the compression').waitFor();
  await window.screenshot('compression-applied');

  gemini.script([text('It is noted.')]);
  await ask(panel, 'Remember it.');
  await panel.getByText('It is noted.').waitFor();
  const compressed = JSON.stringify(lastAsked(gemini).body.contents);
  expect(compressed).toContain('41 of them');
  expect(compressed).not.toContain('317 sheep graze on the northern meadow');

  await window.runCommand('Folio: Undo Compression');
  await panel.locator('.compression-line.undone').waitFor();
  await window.screenshot('compression-undone');
  // Its editor has gone with it.
  await until('the summary is closed', async () => !(await tabs(window)).includes(summary));
  gemini.script([text('All of it.')]);
  await ask(panel, 'And now?');
  await panel.getByText('All of it.').waitFor();
  const whole = JSON.stringify(lastAsked(gemini).body.contents);
  expect(whole).toContain('317 sheep graze on the northern meadow');
  expect(whole).not.toContain('41 of them');
  expectPlayed(gemini);
});

/** No two sentences alike, since the agent would take them for a loop. */
function numbered(count: number, what: string): string {
  return Array.from({ length: count }, (_, index) => `${index + 1} ${what}. `).join('');
}

/** Made up, with the look of a real one. */
const secret = `AIza${'Sy1x'.repeat(9)}`;

async function showRequest(window: Workbench): Promise<void> {
  await window.runCommand('Folio: Show What Was Sent');
  await until('the request is shown', async () => (await editorText(window)).startsWith('# What was sent'));
  await focusEditor(window.page);
  await window.page.keyboard.press('Control+End');
  await until('the newest prompt is shown, masked', async () => {
    const shown = await editorText(window);
    return shown.includes('My key is') && shown.includes('[masked]') && !shown.includes(secret);
  });
  await window.screenshot('what-was-sent');
}

async function openMeter(window: Workbench, panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: /^Context: .* tokens/ }).click();
  const parts = panel.getByRole('list', { name: 'What fills the context' });
  for (const name of [/System/, /Tools/, /Counting sheep/, /Counting cows/]) {
    await parts.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  await window.screenshot('context-meter');
  await panel.getByRole('dialog', { name: 'Tokens' }).press('Escape');
}

/** First something that is no summary, which is refused and stays; then a fact more. */
async function editSummary(window: Workbench, panel: FrameLocator): Promise<void> {
  const { page } = window;
  await button(panel, 'Edit summary…').click();
  await until('the summary is shown', async () => (await editorText(window)).startsWith('<state_snapshot>'));
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Oops');
  await page.keyboard.press('Control+S');
  await notice(window, 'The summary must be one <state_snapshot> element with nothing around it.').waitFor();
  await window.screenshot('summary-refused');
  await page.locator('.tab.active.dirty', { hasText: summary }).waitFor();
  expect(await editorText(window)).toMatch(/^Oops<state_snapshot>/);

  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('Control+Home');
  for (let at = 0; at < 'Oops'.length; at++) await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' At least 41 of them.');
  await page.keyboard.press('Control+S');
  await page.locator('.statusbar').getByText('Summary saved:').waitFor();
  await page.locator('.tab.active:not(.dirty)', { hasText: summary }).waitFor();
  await panel.getByText('At least 41 of them.').waitFor();
}

/** What of the active editor is on the screen. */
async function editorText({ page }: Workbench): Promise<string> {
  const lines = page.locator('.editor-group-container.active .editor-instance .view-line');
  const shown = await lines.evaluateAll(all =>
    all
      .map(line => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(line => line.text),
  );
  return shown.join('\n').replaceAll('\u00a0', ' ');
}

/** What VS Code has stored about open editors, for when the page is loaded again. */
async function notedEditors({ page }: Workbench): Promise<string> {
  return await page.evaluate(async () => {
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const noted: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (!name?.startsWith('vscode-web-state-db-')) continue;
      const database = await answerOf(indexedDB.open(name));
      const table = database.transaction('ItemTable').objectStore('ItemTable');
      noted.push(String(await answerOf(table.get('memento/workbench.parts.editor'))));
      database.close();
    }
    return noted.join();
  });
}

async function tabs(window: Workbench): Promise<readonly string[]> {
  return (await window.evaluate('listTabs')).map(({ label }) => label);
}

function state({ page }: Workbench, name: string) {
  return page.locator('.statusbar').getByRole('button', { name });
}

function notice({ page }: Workbench, sentence: string) {
  return page.locator('.notification-toast', { hasText: sentence });
}
