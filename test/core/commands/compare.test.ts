import { expect, test } from 'vitest';
import type {
  ComparisonAccess,
  ComparisonRequest,
} from '../../../src/extension/core/commands/comparisonAccess.ts';
import type { WorktreeAccess } from '../../../src/extension/core/commands/worktreeAccess.ts';
import { runCommand, tableWith } from '../../support/commandBench.ts';

const table = tableWith();

function bench(
  access: Partial<ComparisonAccess> = {},
  { folder }: Pick<WorktreeAccess, 'folder'> = { folder: '/work' },
) {
  const started: ComparisonRequest[] = [];
  const comparisons: ComparisonAccess = {
    pickModels: async () => undefined,
    start: async request => void started.push(request),
    show: async () => false,
    ...access,
  };
  const worktrees = { folder, worktrees: { listIncluded: async () => ['local.json'] } };
  const run = (text: string) =>
    runCommand(text, table, {
      comparisons: async () => comparisons,
      worktrees: async () => worktrees as unknown as WorktreeAccess,
    });
  return { started, run };
}

test('names of models and the task begin the attempts', async () => {
  const { started, run } = bench();
  expect(await run('/compare --models quick,strong-1 Fix the\n\ntotals, --models and all')).toEqual([]);
  expect(started).toEqual([
    {
      models: ['fast-1', 'strong-1'],
      prompt: 'Fix the\n\ntotals, --models and all',
      start: { kind: 'seen' },
      copies: ['local.json'],
    },
  ]);
});

test('without names the user chooses, and one model may try more than once', async () => {
  const { started, run } = bench({ pickModels: async () => ['a', 'b'] });
  await run('/compare Fix it');
  await run('/compare --models=a,a,a Fix it');
  expect(started.map(({ models }) => models)).toEqual([
    ['a', 'b'],
    ['a', 'a', 'a'],
  ]);
});

test.each([
  ['/compare', /^Say it as \/compare/],
  ['/compare --models a,b', /^Say it as \/compare/],
  ['/compare --models a Fix it', /^Choose two to 4 models/],
  ['/compare --models a,b,c,d,e Fix it', /^Choose two to 4 models/],
  ['/compare --models , Fix it', /^Choose two to 4 models/],
  ['/compare Fix it', /^No models were chosen/],
])('%s is refused in one sentence, and nothing begins', async (text, sentence) => {
  const { started, run } = bench();
  expect(await run(text)).toEqual([expect.stringMatching(sentence)]);
  expect(started).toEqual([]);
});

test('alone it opens the page of the newest comparison', async () => {
  let shown = 0;
  const { run } = bench({ show: async () => ++shown > 0 });
  expect(await run('/compare')).toEqual([]);
  expect(shown).toBe(1);
});

test('there is no worktree without a folder', async () => {
  expect(await bench({}, { folder: undefined }).run('/compare --models a,b Fix it')).toEqual([
    expect.stringMatching(/^Open a folder first/),
  ]);
});
