import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, asked, expectPlayed, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const fact = (words: string, at: string, quote: string) => ({
  kind: 'convention',
  fact: words,
  evidence: [{ at, quote }],
});
const reads = Array.from({ length: 4 }, () => call('read_file', { file_path: 'notes.txt' }));

test('a session that is left proposes facts, which are kept, edited or dropped on a page of their own', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const memory = join(folder, 'GEMINI.md');
  const gemini = await startGemini();
  const facts = [
    fact('Use tabs.', 'P1', 'Always use tabs here'),
    fact('Read files twice.', 'P2', 'Read them again'),
    fact('Be polite.', 'P3', 'Thank you'),
  ];
  gemini.script(
    reads,
    [text('Read once.')],
    reads,
    [text('Read twice.')],
    [text('You are welcome.')],
    [text(JSON.stringify({ facts, skills: [] }))],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Always use tabs here');
  await panel.getByText('Read once.').waitFor();
  await ask(panel, 'Read them again');
  await panel.getByText('Read twice.').waitFor();
  await ask(panel, 'Thank you');
  await panel.getByText('You are welcome.').waitFor();
  await window.runCommand('Folio: New Session');
  await until('the light model has proposed', () => gemini.unplayed === 0 && asked(gemini).length === 6);

  await window.runCommand('Folio: Memory Inbox');
  const entry = (words: string) => panel.locator('.inbox-entry').filter({ hasText: words });
  await panel.getByRole('heading', { name: 'Memory inbox' }).waitFor();
  await entry('Use tabs.').waitFor();
  if (existsSync(memory)) throw new Error('A proposal was written unseen.');
  await window.screenshot('memory-inbox');
  await entry('Use tabs.').getByRole('button', { name: 'Keep for Workspace' }).click();
  await entry('Use tabs.').waitFor({ state: 'detached' });
  await untilHolds(memory, '## Remembered by Folio\n\n- Use tabs.\n');

  await entry('Read files twice.').getByRole('button', { name: 'Edit' }).click();
  await panel.getByRole('textbox', { name: 'Text to remember' }).fill('Read files once.');
  await panel.getByRole('button', { name: 'Keep for Workspace' }).first().click();
  await untilHolds(memory, '## Remembered by Folio\n\n- Use tabs.\n- Read files once.\n');
  await entry('Be polite.').getByRole('button', { name: 'Drop' }).click();
  await panel.getByText('The inbox is empty.').waitFor();
  expectPlayed(gemini);
});
