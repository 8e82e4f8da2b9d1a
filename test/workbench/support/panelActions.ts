/* What a person does in the panel, and what the tests read of the model's side. */

import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import type { GeminiServer, RecordedRequest } from '../../support/geminiServer.ts';
import { limit } from './workbench.ts';

/** Types a prompt and sends it by key. */
export async function ask(panel: FrameLocator, prompt: string): Promise<void> {
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.fill(prompt);
  await field.press('Enter');
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

/** Every request was one that the service would have answered, and the whole script was played. */
export function expectPlayed(gemini: GeminiServer): void {
  expect(gemini.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
  expect(gemini.unplayed).toBe(0);
}

/** Waits for what no element on the page shows. The message says what was awaited. */
export async function until(awaited: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: limit, interval: 100, message: awaited }).toBe(true);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process: it has ended.
    return false;
  }
}
