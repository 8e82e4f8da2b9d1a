import { expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { Diagnostic } from '../../src/extension/platform/diagnostics.ts';
import type { FileProblem } from '../../src/extension/platform/workbench.ts';
import { getProblemsTool } from '../../src/extension/tools/symbols/getProblems.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool } from '../support/useTool.ts';
import { WordLanguages } from '../support/wordLanguages.ts';

const problem = (path: string, line = 1): FileProblem => ({
  path,
  line,
  severity: 'error',
  message: 'It is\nwrong.',
  source: 'ts',
});

/** @param settle what servers say of a file that is asked for */
function toolOver(
  problems: readonly FileProblem[] | undefined,
  settle: () => Promise<readonly Diagnostic[] | undefined> = async () => [],
  isSettled = true,
) {
  const files = new MemoryFileSystem({
    '/w/src/a.ts': 'a\n',
    '/w/src/b.ts': 'b\n',
    '/w/srcs.ts': 'c\n',
    '/w/.env': 'KEY=1\n',
  });
  return getProblemsTool({
    files,
    paths: new WorkspacePaths(files, ['/w']),
    languages: new WordLanguages({}),
    workbench: { listProblems: () => problems },
    diagnostics: { settle, settleAll: async () => isSettled },
  });
}

const all = [problem('/w/src/a.ts', 3), problem('/w/src/b.ts'), problem('/w/srcs.ts'), problem('/w/.env')];
const ask = async (args: object, ...over: Parameters<typeof toolOver>) =>
  (await useTool(toolOver(...over), args)).text;

test('problems of the workspace come file by file, one line each, and those of protected files do not', async () => {
  expect(await ask({}, all)).toBe(
    [
      'src/a.ts:3: error: It is wrong. (ts)',
      'src/b.ts:1: error: It is wrong. (ts)',
      'srcs.ts:1: error: It is wrong. (ts)',
    ].join('\n'),
  );
});

test('a folder means what lies in it, and a file itself', async () => {
  expect(await ask({ path: 'src' }, all)).toBe(
    'src/a.ts:3: error: It is wrong. (ts)\nsrc/b.ts:1: error: It is wrong. (ts)',
  );
  expect(await ask({ path: 'srcs.ts' }, all)).toBe('srcs.ts:1: error: It is wrong. (ts)');
});

test('of very many problems the first come, and how many are left out', async () => {
  const many = Array.from({ length: 130 }, (_, index) => problem('/w/src/a.ts', index + 1));
  expect(await ask({}, many)).toMatch(/^src\/a\.ts:1: [\s\S]*a\.ts:100: .*\n… and 30 more: give a path\.$/);
});

test('a clean file is told from one that no server has looked at', async () => {
  expect(await ask({ path: 'src/a.ts' }, [])).toBe('No problems are reported in src/a.ts.');
  expect(await ask({}, [])).toContain('No problems are reported in the workspace. Most servers look only');
  // Also where VS Code still shows what was said of an older text.
  for (const shown of [[], [problem('/w/src/a.ts')]])
    expect(await ask({ path: 'src/a.ts' }, shown, async () => undefined)).toBe(
      'No server has spoken about src/a.ts as it stands now, so its problems are not known.',
    );
});

test('a path that is not there or lies outside is refused', async () => {
  await expect(ask({ path: 'nowhere.ts' }, [])).rejects.toThrow('There is no nowhere.ts.');
  await expect(ask({ path: '/etc/passwd' }, [])).rejects.toThrow();
});

test('it is offered where a server answers and somebody knows problems', () => {
  expect(toolOver([]).isOffered?.()).toBe(true);
  expect(toolOver(undefined).isOffered?.()).toBe(false);
});

test('where servers are still at work the answer about the workspace says so', async () => {
  expect(await ask({}, all, undefined, false)).toMatch(
    /^src\/a\.ts:3[\s\S]*\nLanguage servers are still at work, so some of this may be about older texts/,
  );
  expect(await ask({}, [], undefined, false)).toMatch(/^No problems are reported[\s\S]*still at work/);
});
