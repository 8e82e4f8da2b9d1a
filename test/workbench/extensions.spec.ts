import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { ask, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const inList = '.quick-input-list [role="option"]';

test('a workspace cannot switch off an extension of the user, and they can, for this workspace', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, writeHome, startGemini }) => {
  await writeHome({
    '.gemini/extensions/guard/gemini-extension.json': '{ "name": "guard", "version": "1.2.3" }',
    '.gemini/extensions/guard/GEMINI.md': 'Never feed the gulls.',
  });
  const settings = '{ "folio.disabled": ["guard"] }';
  const folder = await makeWorkspace({ '.vscode/settings.json': settings });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  let panel = await window.openPanel();
  expect(await systemOf(gemini, panel, 'One')).toContain('Never feed the gulls.');

  await window.runCommand('Folio: Show Servers, Commands, Agents and Skills');
  const row = page.locator(inList).filter({ hasText: 'guard' }).filter({ hasText: '1.2.3' });
  await page.locator(inList).filter({ hasText: 'The workspace settings disable guard' }).waitFor();
  await window.screenshot('extensions-list');
  await row.hover();
  await row.getByRole('button', { name: 'Disable here' }).click();
  await row.filter({ hasText: 'disabled' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await systemOf(gemini, panel, 'Two')).not.toContain('gulls');
  expect(await readFile(join(folder, '.vscode', 'settings.json'), 'utf8')).toBe(settings);

  await window.crashHost();
  panel = await window.openPanel();
  expect(await systemOf(gemini, panel, 'Three')).not.toContain('gulls');
  expectPlayed(gemini);
});

test('a list of additions ends with ways to add one, and a file begins with an example', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'a.txt': 'alpha\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const row = (words: string) => window.page.locator(inList).filter({ hasText: words });
  await window.runCommand('Folio: Show Servers, Commands, Agents and Skills');
  for (const words of ['Add MCP server…', 'Create agent…', 'Create skill…']) await row(words).waitFor();
  await row('Create command…').click();
  await until('a command is begun in an editor', async () => {
    const editors = await window.evaluate('listEditors');
    return editors.some(({ uri }) => /^untitled:.*my-command\.toml$/.test(uri));
  });
  await window.page.locator('.view-line', { hasText: 'Explains a file' }).waitFor();
});

async function systemOf(gemini: GeminiServer, panel: FrameLocator, prompt: string): Promise<string> {
  gemini.script([text(`Answer to ${prompt}.`)]);
  await ask(panel, prompt);
  await panel.getByText(`Answer to ${prompt}.`).last().waitFor();
  return JSON.stringify(lastAsked(gemini).body.systemInstruction);
}
