import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { noWorkbench } from '../../src/extension/headless/editorStandIns.ts';
import type { DiagnosticReader } from '../../src/extension/platform/diagnostics.ts';
import type { FileProblem } from '../../src/extension/platform/workbench.ts';
import { applyCodeActionTool } from '../../src/extension/tools/symbols/applyCodeAction.ts';
import { expectLanguages, languageSample } from '../support/languagesContract.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool, writingTo } from '../support/useTool.ts';
import { WordLanguages } from '../support/wordLanguages.ts';

const spelling = "Change spelling to 'amount'";

/** @param settle what servers say of a file that is asked for */
function world(
  settle: DiagnosticReader['settle'] = async () => [],
  more: Readonly<Record<string, string>> = {},
) {
  const given = Object.entries({ ...languageSample, '.env': 'amuont=1\n', ...more });
  const files = Object.fromEntries(given.map(([path, text]) => [join('/w', path), text]));
  const disk = new MemoryFileSystem(files);
  const languages = new WordLanguages(files);
  const search = { findText: async () => ({ files: [], total: 0, limited: false }) };
  const problems: readonly FileProblem[] = [
    { path: '/w/loose.ts', severity: 'error', line: 2, message: "Cannot find name 'amuont'." },
  ];
  const tool = applyCodeActionTool({
    files: disk,
    paths: new WorkspacePaths(disk, ['/w']),
    search,
    languages,
    workbench: { ...noWorkbench, listProblems: () => problems },
    diagnostics: { settle, settleAll: async () => true },
  });
  const read = async (path: string) => (await disk.readText(join('/w', path))).text;
  return { tool: writingTo(disk, tool), read, languages };
}

test('the fake servers offer what the contract says', async () => {
  const files = Object.entries(languageSample).map(([path, text]) => [join('/w', path), text]);
  await expectLanguages(new WordLanguages(Object.fromEntries(files)), '/w');
});

test.each([['2'], ["cannot find name 'amuont'"]])('a problem given as %j is fixed', async problem => {
  const { tool, read } = world();
  const { text } = await useTool(tool, { file_path: 'loose.ts', problem, title: spelling });
  expect(text).toBe(`Applied “${spelling}” in 1 place in 1 file:\nloose.ts (1)`);
  expect(await read('loose.ts')).toBe(languageSample['loose.ts'].replace('amuont', 'amount'));
});

test('a whole file is formatted, whatever the case of the title', async () => {
  const { tool, read } = world();
  await useTool(tool, { file_path: 'loose.ts', title: 'format document' });
  expect(await read('loose.ts')).toBe('export const amount = 1;\nexport const two = amuont;\n');
});

test('without a title the titles are listed and nothing is changed', async () => {
  const { tool, read } = world();
  await expect(useTool(tool, { file_path: 'loose.ts', problem: '2' })).rejects.toThrow(
    `Nothing is changed yet. Choose a title:\n${spelling}`,
  );
  await expect(useTool(tool, { file_path: 'loose.ts', problem: '2', title: 'Other' })).rejects.toThrow(
    `“Other” is not offered. Titles:\n${spelling}`,
  );
  expect(await read('loose.ts')).toBe(languageSample['loose.ts']);
});

test('nothing is offered for, or changed in, a file that .geminiignore leaves out', async () => {
  const { tool, read } = world(undefined, { '.geminiignore': 'loose.ts\n' });
  for (const asked of [
    {},
    { problem: '2' },
    { problem: '2', title: spelling },
    { title: 'format document' },
  ]) {
    const failure: unknown = await useTool(tool, { file_path: 'loose.ts', ...asked }).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toContain('loose.ts is not for agents to read: .geminiignore leaves it out');
    expect(String(failure)).not.toContain('amount');
  }
  expect(await read('loose.ts')).toBe(languageSample['loose.ts']);
});

test('what only a command does is named as not applicable', async () => {
  const { tool } = world();
  const asked = { file_path: 'sums.ts', name: 'computeSum' };
  await expect(useTool(tool, asked)).rejects.toThrow(
    'Explain (not applicable: it runs a command of the editor.)',
  );
  await expect(useTool(tool, { ...asked, title: 'Explain' })).rejects.toThrow(
    '“Explain” cannot be applied: it runs a command of the editor.',
  );
});

test('nothing to do is said: no offer, no change, no such problem', async () => {
  const { tool } = world();
  await expect(useTool(tool, { file_path: 'loose.ts', problem: '1' })).rejects.toThrow(/offers nothing here/);
  await expect(useTool(tool, { file_path: 'loose.ts', problem: 'other' })).rejects.toThrow(
    "No problem of this file reads like that. Known:\n2: Cannot find name 'amuont'.",
  );
  await expect(useTool(tool, { file_path: 'none.ts', problem: '1' })).rejects.toThrow(/none\.ts/);
});

test('where no server has spoken of the present text, its problems are called unknown, not absent', async () => {
  const { tool, read } = world(async () => undefined);
  const unknown = 'No server has spoken about loose.ts as it stands now, so its problems are not known.';
  const asked = { file_path: 'loose.ts', title: spelling };
  await expect(useTool(tool, { ...asked, problem: 'amuont' })).rejects.toThrow(
    `${unknown} Give a line instead of words.`,
  );
  await expect(useTool(tool, { ...asked, problem: '1' })).rejects.toThrow(
    `The language server offers nothing here. ${unknown}`,
  );
  // The server offers fixes for the text as it stands.
  await useTool(tool, { ...asked, problem: '2' });
  expect(await read('loose.ts')).toBe(languageSample['loose.ts'].replace('amuont', 'amount'));
});

test('a protected file and one outside are refused before a server is asked', async () => {
  const { tool, languages } = world();
  let asked = 0;
  languages.offer = async () => {
    asked++;
    return [];
  };
  for (const file_path of ['.env', '../x.ts'])
    await expect(useTool(tool, { file_path })).rejects.toThrow(/may hold secrets|outside/);
  expect(asked).toBe(0);
});
