/* What a user does in the panel, and what the tests read of the model's side. */

import { readFile } from 'node:fs/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { GeminiServer, RecordedRequest } from '../../support/geminiServer.ts';
import type { Workbench } from './workbench.ts';
import { limit } from './workbench.ts';

/**
 * Types a prompt and sends it by key. VS Code hands the focus to a webview in two steps, between which keys go nowhere:
 * as a user would, this types again what did not arrive.
 */
export async function ask(panel: FrameLocator, prompt: string): Promise<void> {
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  const holdsPrompt = () =>
    field.evaluateAll(
      (fields, text) => fields.some(each => (each as HTMLTextAreaElement).value === text),
      prompt,
    );
  await until('the prompt is in the composer', async () => {
    await field.fill(prompt);
    return await holdsPrompt();
  });
  await until('it has left the composer', async () => {
    await field.press('Enter');
    return !(await holdsPrompt());
  });
}

/** What the list under the composer offers. */
export function completions(panel: FrameLocator, name?: RegExp) {
  return panel.getByRole('listbox').getByRole('option', { name });
}

/**
 * What is completed for these letters; the field is empty again afterwards. They come at once: by single keys, what
 * the list shows may still be for the first of them.
 */
export async function offered(panel: FrameLocator, typed: string): Promise<readonly string[]> {
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill('');
  await field.fill(typed);
  await panel
    .getByText(/^Nothing found for/)
    .or(completions(panel))
    .first()
    .waitFor();
  const found = await completions(panel).allInnerTexts();
  await field.fill('');
  return found;
}

export function button(panel: FrameLocator, name: string) {
  return panel.getByRole('button', { name, exact: true });
}

/** Requests for an answer, oldest first; those that list models or count tokens are left out. */
export function asked({ requests }: GeminiServer): readonly RecordedRequest[] {
  return requests.filter(({ method }) => method === 'streamGenerateContent');
}

export function lastAsked(gemini: GeminiServer): RecordedRequest {
  const last = asked(gemini).at(-1);
  if (last === undefined) throw new Error('The model was asked nothing yet.');
  return last;
}

/** Waits until VS Code has shown a message with these words, also when its toast has gone by. @param words of no message before */
export async function reported({ page, evaluate }: Workbench, words: string): Promise<void> {
  await evaluate('executeCommand', 'notifications.showList');
  const messages = page.locator('.notification-list-item-message', { hasText: words });
  await messages.filter({ visible: true }).first().waitFor();
  await evaluate('executeCommand', 'notifications.hideList');
}

/** What stands above a hunk in an editor. */
export function lens(page: Page, title: string) {
  return page.locator('.codelens-decoration a').filter({ hasText: new RegExp(`^\\s*${title}$`) });
}

/** Every request was one that the service would have answered, and the whole script was played. */
export function expectPlayed(gemini: GeminiServer): void {
  expect(gemini.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
  expect(gemini.unplayed).toBe(0);
}

/** Waits for what no element on the page shows. The message says what was awaited. */
export async function until(awaited: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: limit, interval: 100, message: awaited }).toBe(true);
}

/** Waits until keys go to the text editor. */
export async function focusEditor(page: Page): Promise<void> {
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await until('the cursor is in the editor', () =>
    editor.evaluate(element => element.contains(document.activeElement)),
  );
}

/** @param line from 1 */
export async function untilAtLine(page: Page, line: number): Promise<void> {
  const number = page.locator('.line-numbers.active-line-number').first();
  await until(
    `the cursor is at line ${line}`,
    async () => (await number.innerText()).trim() === String(line),
  );
}

export async function untilHolds(path: string, text: string): Promise<void> {
  await expect.poll(() => readFile(path, 'utf8'), { timeout: limit }).toBe(text);
}

/**
 * In a new terminal in the workspace; returns what that shows then. The command takes its time: of what a quick one
 * writes VS Code may tell nothing.
 */
export async function runInTerminal(window: Workbench, command: string): Promise<string> {
  const { page } = window;
  await window.runCommand('Terminal: Create New Terminal');
  // A slow window may make another terminal as it opens the view.
  const terminal = page.locator('.xterm').filter({ visible: true }).last();
  const rows = terminal.locator('.xterm-rows');
  const prompts = async () => ((await rows.textContent()) ?? '').split('folio-workspace-').length - 1;
  await until('the terminal asks for a command', async () => (await prompts()) === 1);
  await terminal.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
  // The end of a command is told with the prompt after it.
  await until('it asks for the next one', async () => (await prompts()) === 2);
  return (await rows.textContent()) ?? '';
}

/** Into the field that VS Code shows for a key. */
export async function typeKey(
  { page }: Workbench,
  key: string,
  how: 'typed' | 'entered' = 'entered',
): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="password"]');
  await input.fill(key);
  if (how === 'entered') await input.press('Enter');
}
