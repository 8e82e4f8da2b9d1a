/* Actions of a user in the panel, and reads of the model server. */

import { readFile } from 'node:fs/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { GeminiServer, RecordedRequest } from '../../support/geminiServer.ts';
import type { Workbench } from './workbench.ts';
import { limit } from './workbench.ts';

/**
 * Types a prompt and sends it by key. VS Code focuses a webview in two steps, between which keys are lost, so this
 * types missing text again.
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

/** Locates entries of the completion list. */
export function completions(panel: FrameLocator, name?: RegExp) {
  return panel.getByRole('listbox').getByRole('option', { name });
}

/**
 * Returns the completions for a text, then clears the field. The text is inserted at once, since with single keys the
 * list may still show results for the first.
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

/** Returns requests for an answer, oldest first, without side requests. */
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

/** Locates a code lens above a hunk. */
export function lens(page: Page, title: string) {
  return page.locator('.codelens-decoration a').filter({ hasText: new RegExp(`^\\s*${title}$`) });
}

/** Expects that all requests were valid and the whole script was played. */
export function expectPlayed(gemini: GeminiServer): void {
  expect(gemini.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
  expect(gemini.unplayed).toBe(0);
}

/** Waits for a condition outside the page. A failure names `awaited`. */
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
 * Runs a command in a new terminal and returns its text. The command is delayed, since VS Code may miss the output of a
 * quick one.
 */
export async function runInTerminal(window: Workbench, command: string): Promise<string> {
  const { page } = window;
  await window.runCommand('Terminal: Create New Terminal');
  // A slow window may create another terminal when the view opens.
  const terminal = page.locator('.xterm').filter({ visible: true }).last();
  const rows = terminal.locator('.xterm-rows');
  const prompts = async () => ((await rows.textContent()) ?? '').split('folio-workspace-').length - 1;
  await until('the terminal asks for a command', async () => (await prompts()) === 1);
  await terminal.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
  // The next prompt shows that the command has ended.
  await until('it asks for the next one', async () => (await prompts()) === 2);
  return (await rows.textContent()) ?? '';
}

/** Types into VS Code's input for a key. */
export async function typeKey(
  { page }: Workbench,
  key: string,
  how: 'typed' | 'entered' = 'entered',
): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="password"]');
  await input.fill(key);
  if (how === 'entered') await input.press('Enter');
}
