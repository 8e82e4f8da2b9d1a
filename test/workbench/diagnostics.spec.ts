import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = `const known: number = 'old';
export function double(value: number) {
  return value * 2;
}
export const four = double(2);
export { known };
`;

test('an edit that brings a type error tells the model of this error and not of older ones', async ({
  open,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
    'main.ts': before,
  });
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ folder, settings });
  const panel = await window.openPanel();
  const main = join(folder, 'main.ts');
  await window.evaluate('openFile', main);
  await until('TypeScript has found the old error', async () =>
    (await window.evaluate('readDiagnostics', main)).some(({ line }) => line === 1),
  );

  const replace = (old_string: string, new_string: string) =>
    call('replace', { file_path: 'main.ts', instruction: 'Change the call.', old_string, new_string });
  gemini.script(
    [replace('double(2)', "double('2')")],
    [replace("double('2')", 'double(3)')],
    [text('It is three now.')],
  );
  await ask(panel, 'Change the call.');
  await panel.getByText('It is three now.').waitFor();
  const [broken, mended] = asked(gemini)
    .slice(1)
    .map(request => lastResults(request)[0]);
  expect(broken?.output).toMatch(/brought 1 new problem:\nline 5: error: .*not assignable/);
  expect(mended?.output).not.toContain('new problem');
  await window.screenshot('diagnostics');
  expectPlayed(gemini);
});
