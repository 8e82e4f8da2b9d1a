import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { text } from '../support/geminiAnswers.ts';
import { everything } from './support/everything.ts';
import { button, completions, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const reviewOfUser = `description = "Reviews a file"
prompt = "Review {{args}}.\\n!{echo it is {{args}} > said.txt; cat said.txt}\\n@{notes.txt}"
`;

test('commands of everyone are offered with where they come from, and what they become reaches the model', {
  tags: ['journey'],
}, async ({ open, makeFolder, makeWorkspace, startGemini, writeHome }) => {
  const starts = join(await makeFolder({}), 'starts.txt');
  await writeHome({
    '.gemini/commands/review.toml': reviewOfUser,
    '.claude/commands/explain.md':
      '---\ndescription: Explains\nargument-hint: what\n---\nExplain $ARGUMENTS.\n',
    '.gemini/settings.json': JSON.stringify({ mcpServers: { everything: everything(starts) } }),
  });
  const gemini = await startGemini();
  await makeWorkspace({
    'notes.txt': 'Mind the tax.\n',
    '.gemini/commands/team/look.toml': 'description = "Looks"\nprompt = "Look at {{args}}."\n',
  });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await button(panel, 'Allow').click();
  await window.runCommand('Folio: Show MCP Servers');
  await panel.locator('.mcp-server.mcp-ready').waitFor();
  await button(panel, 'Back to the session').click();

  await until('all are offered', async () => {
    await field.fill('');
    await field.pressSequentially('/');
    await completions(panel).first().waitFor();
    const names = (await sourcesOf(panel)).map(([name]) => name);
    return ['help', 'team:look', 'review', 'explain'].every(name => names.some(each => each?.includes(name)));
  });
  const sources = new Map(await sourcesOf(panel));
  expect(sources.get('/team:look')).toBe('workspace');
  expect(sources.get('/review')).toBe('you');
  await window.screenshot('commands-all');
  await field.fill('');
  await field.pressSequentially('/args');
  await completions(panel, /args-prompt/).waitFor();
  await window.screenshot('commands-of-a-server');

  const dialog = page.locator('.monaco-dialog-box');
  gemini.script([text('Reviewed.')], [text('Explained.')]);
  await field.fill('/review "my file"; rm -rf x');
  await field.press('Enter');
  await dialog.getByText('runs 1 command before it is sent', { exact: false }).waitFor();
  // In the command the words are one argument of echo and nothing else.
  await dialog.getByText(`echo it is '"my file"; rm -rf x' > said.txt`, { exact: false }).waitFor();
  await window.screenshot('command-question');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await panel.getByText('Reviewed.').waitFor();
  const sent = JSON.stringify(lastAsked(gemini).body.contents?.at(-1));
  expect(sent).toContain('Review \\"my file\\"; rm -rf x.');
  expect(sent).toContain('it is \\"my file\\"; rm -rf x');
  expect(sent).toContain('Mind the tax.');
  await panel.locator('.prompt', { hasText: '/review "my file"; rm -rf x' }).waitFor();

  await field.fill('/explain the tax');
  await field.press('Enter');
  await panel.getByText('Explained.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents?.at(-1))).toContain('Explain the tax.');
  await window.screenshot('commands-sent');

  gemini.script([text('Prompted.')]);
  await field.fill('/args-prompt city=Bern');
  await field.press('Enter');
  await panel.getByText('Prompted.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents?.at(-1))).toContain('Bern');
  expectPlayed(gemini);
});

/** Of each that is offered its name and whose it is. */
async function sourcesOf(panel: FrameLocator): Promise<readonly (readonly [string, string])[]> {
  return await completions(panel).evaluateAll(options =>
    options.map(
      option =>
        [
          option.querySelector('.completion-label')?.textContent?.trim() ?? '',
          option.querySelector('.completion-source')?.textContent?.trim() ?? '',
        ] as const,
    ),
  );
}
