import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const wrong = `  let total = 0;
  for (const line of lines) {
    total += lineNet(line) + roundCents(lineTax(line));
  }
  return total;
`;

const right = `  let net = 0;
  let tax = 0;
  for (const line of lines) {
    net += lineNet(line);
    tax += lineTax(line);
  }
  return net + roundCents(tax);
`;

const remark = '// Rounded once, as the law has it.';

test('a prompt becomes chapters, an edit that the user changes in the diff editor, a test run and an answer', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({});
  await cp(join(projectRoot, 'sample'), folder, { recursive: true });
  const invoice = join(folder, 'src/invoice.js');
  const before = await readFile(invoice, 'utf8');
  const gemini = await startGemini();
  playFix(gemini);
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();

  await ask(panel, 'The invoice test fails. Find out why and fix it.');
  await panel.getByRole('heading', { name: 'Fixing the rounding of tax' }).waitFor();
  await button(panel, 'Accept').waitFor();
  await window.screenshot('ask-for-an-edit');

  // The user adds a line of their own on the right side, then accepts in the editor's title.
  await button(panel, 'Open diff').click();
  const editor = page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first();
  await editor.locator('.view-line').first().waitFor();
  await until('the cursor is in the diff', () =>
    editor.evaluate(element => element.contains(document.activeElement)),
  );
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`${remark}\n`);
  await editor.getByText(remark).waitFor();
  await window.screenshot('diff');
  expect(await readFile(invoice, 'utf8')).toBe(before);
  await page.locator('.editor-actions [aria-label^="Accept Proposed Change"]').click();

  const run = button(panel, 'Run');
  await run.waitFor();
  expect(await readFile(invoice, 'utf8')).toBe(`${before.replace(wrong, right)}${remark}\n`);
  const [reported] = lastResults(lastAsked(gemini)).filter(({ name }) => name === 'replace');
  expect(reported?.output).toMatch(
    /The user changed your proposal[\s\S]*\+\/\/ Rounded once, as the law has it\./,
  );
  expect((await window.evaluate('listTabs')).filter(({ kind }) => kind === 'diff')).toEqual([]);
  await window.screenshot('ask-for-a-command');
  await run.click();

  await panel.getByText('All tests pass now.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body)).toMatch(/fail 0/);
  expect(asked(gemini)).toHaveLength(4);
  expectPlayed(gemini);
  expect((await window.evaluate('listTerminals')).map(({ name }) => name)).toContain('Folio');
  await window.screenshot('scenario');
  expect(window.cspProblems).toEqual([]);
});

function playFix(gemini: GeminiServer): void {
  gemini.script(
    [
      call('create_new_topic', { title: 'Reading the invoice code' }),
      call('read_file', { file_path: 'src/invoice.js' }),
      call('read_file', { file_path: 'test/invoice.test.js' }),
    ],
    [
      text('The tax is rounded on every line. It must be rounded once.'),
      call('create_new_topic', { title: 'Fixing the rounding of tax' }),
      call('replace', {
        file_path: 'src/invoice.js',
        instruction: 'Round the tax once for the whole invoice.',
        old_string: wrong,
        new_string: right,
      }),
    ],
    [call('run_shell_command', { command: 'npm test', description: 'Runs the tests' })],
    [text('All tests pass now.')],
  );
}
