import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { startGeminiServer } from '../support/geminiServer.ts';
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

test('a prompt becomes chapters, an approved edit, a test run and an answer', async ({
  open,
  makeFolder,
}) => {
  const folder = await makeFolder({});
  await cp(join(projectRoot, 'sample'), folder, { recursive: true });
  await using gemini = await startScript();
  const window = await open({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();

  await panel.getByRole('textbox').first().fill('The invoice test fails. Find out why and fix it.');
  await panel.getByRole('textbox').first().press('Enter');
  await panel.getByRole('heading', { name: 'Fixing the rounding of tax' }).waitFor();

  const accept = panel.getByRole('button', { name: 'Accept', exact: true });
  await accept.waitFor();
  await window.screenshot('ask-for-an-edit');
  expect(await readFile(join(folder, 'src/invoice.js'), 'utf8')).toContain(wrong);
  await accept.click();

  const runButton = panel.getByRole('button', { name: 'Run', exact: true });
  await runButton.waitFor();
  expect(await readFile(join(folder, 'src/invoice.js'), 'utf8')).toContain(right);
  await window.screenshot('ask-for-a-command');
  await runButton.click();

  await panel.getByText('All tests pass now.').waitFor();
  const lastAsked = gemini.requests.findLast(({ method }) => method === 'streamGenerateContent');
  expect(JSON.stringify(lastAsked?.body)).toMatch(/fail 0/);
  expect(gemini.unplayed).toBe(0);
  expect((await window.evaluate('listTerminals')).map(({ name }) => name)).toContain('Folio');
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await window.setTheme(theme);
    await window.screenshot(`scenario-${theme}`);
  }
});

async function startScript() {
  const server = await startGeminiServer();
  server.script(
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
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.dispose() });
}
