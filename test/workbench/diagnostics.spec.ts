import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, type RecordedRequest } from '../support/geminiServer.ts';
import { ask, asked, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = `const known: number = 'old';
export function double(value: number) {
  return value * 2;
}
export const four = double(2);
export { known };
`;

/** Milliseconds that a change must be left alone to teach how long language tools take. */
const lesson = 3_000;

test('the model is told of the type error that its edit brings, and of what the user does in the editor', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
    'main.ts': before,
    'user.ts': "import { four } from './main';\nexport const more: number = four + 1;\n",
  });
  const gemini = await startGemini();
  const settings = { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' };
  const window = await open({ settings });
  const panel = await window.openPanel();
  const main = join(folder, 'main.ts');
  await window.evaluate('openFile', join(folder, 'tsconfig.json'));
  await window.evaluate('openFile', main);
  await until('TypeScript has found the old error', async () =>
    (await window.evaluate('readDiagnostics', main)).some(({ line }) => line === 1),
  );

  // How long TypeScript takes here is learned from a change that is left alone for a while.
  const user = join(folder, 'user.ts');
  await window.evaluate('insertText', user, 1, 'export const odd: string = four;\n');
  await until('TypeScript has found what was typed', async () =>
    (await window.evaluate('readDiagnostics', user)).some(({ line }) => line === 1),
  );
  await new Promise(resolve => setTimeout(resolve, lesson));
  await window.evaluate('insertText', user, 1, '// ');
  await until('TypeScript has seen it undone', async () =>
    (await window.evaluate('readDiagnostics', user)).every(({ line }) => line !== 1),
  );
  await window.evaluate('openFile', main);
  const replace = (old_string: string, new_string: string) =>
    call('replace', { file_path: 'main.ts', instruction: 'Change the call.', old_string, new_string });
  gemini.script(
    [replace('double(2)', "double('2')")],
    [replace("double('2')", 'double(3)')],
    [replace('export const four', 'export const five')],
    [call('get_problems', {})],
    [replace('export const five', 'export const four')],
    [call('get_problems', { path: 'user.ts' })],
    [text('It is three now.')],
  );
  await ask(panel, 'Change the call.');
  await panel.getByText('It is three now.').waitFor();
  const [broken, mended, renamed, listed, , debounce] = asked(gemini)
    .slice(1)
    .map(request => lastResults(request)[0]);
  expect(broken?.output).toMatch(/brought 1 new problem:\nline 5: error: .*not assignable/);
  expect(mended?.output).not.toContain('new problem');
  expect(renamed?.output).toMatch(/brought 1 new problem:\nuser\.ts, line 2: error: .*four/);
  expect(listed?.output).toMatch(/^main\.ts:1: error: [\s\S]*^user\.ts:2: error: /m);
  expect(debounce?.output).toBe('No problems are reported in user.ts.');
  await window.screenshot('diagnostics');

  // The files stay open, and it was the agent who wrote into the one that the user had before them.
  expect(editorLines(asked(gemini)[0]!)).toEqual([
    'active: main.ts',
    'cursor: 1:1',
    'open: user.ts',
    'open: tsconfig.json',
    'edited: user.ts',
  ]);
  await window.evaluate('openFile', join(folder, 'tsconfig.json'));
  gemini.script([text('Seen.')]);
  await ask(panel, 'And these settings?');
  await panel.getByText('Seen.').waitFor();
  expect(editorLines(lastAsked(gemini))).toEqual(['active: tsconfig.json', 'cursor: 1:1']);

  await window.evaluate('insertText', main, 1, '// Mine\n');
  gemini.script([text('Yours.')]);
  await ask(panel, 'And this comment?');
  await panel.getByText('Yours.').waitFor();
  expect(editorLines(lastAsked(gemini))).toEqual(['active: main.ts', 'cursor: 2:1', 'edited: main.ts']);
  expectPlayed(gemini);
});

/** What the newest prompt of a request says of the editor, without its heading. */
function editorLines({ body }: RecordedRequest): readonly string[] {
  const { parts = [] } = body.contents?.findLast(({ role }) => role === 'user') ?? {};
  const said = parts.find(({ text }) => text?.startsWith('<editor>'))?.text ?? '';
  expect(said).toMatch(/^<editor>\n.*\n[\s\S]*<\/editor>$/);
  return said.split('\n').slice(2, -1);
}
