import { expect, test } from 'vitest';
import type {
  ComparisonAccess,
  ComparisonRequest,
} from '../../../src/extension/core/commands/comparisonAccess.ts';
import type { WorktreeAccess } from '../../../src/extension/core/commands/worktreeAccess.ts';
import type { Worktree } from '../../../src/protocol/worktree.ts';
import { runCommand, tableWith } from '../../support/commandBench.ts';

const table = tableWith();

interface Options extends Pick<WorktreeAccess, 'folder'> {
  /** The number of worktrees that can be made. */
  readonly room?: number;
}

function bench(access: Partial<ComparisonAccess> = {}, { folder, room }: Options = { folder: '/work' }) {
  const started: ComparisonRequest[] = [];
  const comparisons: ComparisonAccess = {
    pickModels: async () => undefined,
    start: async request => void started.push(request),
    show: async () => false,
    ...access,
  };
  const made: string[] = [];
  const worktrees = {
    folder,
    files: { realPath: async (path: string) => path, stat: async () => undefined },
    settings: { get: (name: string) => (name === 'worktree.setup' ? 'npm ci' : []), isSet: () => true },
    worktrees: {
      listIncluded: async () => [],
      share: async () => [],
      create: async ({ name }: { readonly name: string }) => {
        if (made.length === room) throw new Error('The disk is full.');
        made.push(name);
        return { name, path: `/worktrees/${name}`, home: '/work', base: 'abc' };
      },
      remove: async ({ path }: Pick<Worktree, 'path'>) => {
        made.splice(made.indexOf(path.split('/').at(-1)!), 1);
      },
    },
  };
  const run = (text: string) =>
    runCommand(text, table, {
      comparisons: async () => comparisons,
      worktrees: async () => worktrees as unknown as WorktreeAccess,
    });
  return { started, made, run };
}

test('names of models and the task begin the attempts, each in a worktree that is set up', async () => {
  const { started, made, run } = bench();
  expect(await run('/compare --models quick,strong-1 Fix the\n\ntotals, --models and all')).toEqual([]);
  const [one, two] = made;
  expect(started).toMatchObject([
    {
      prompt: 'Fix the\n\ntotals, --models and all',
      attempts: [
        { model: 'fast-1', worktree: { name: one }, setUp: 'npm ci' },
        { model: 'strong-1', worktree: { name: two }, setUp: 'npm ci' },
      ],
    },
  ]);
});

test('where not all worktrees can be made none stays, and nothing begins', async () => {
  const { started, made, run } = bench({}, { folder: '/work', room: 2 });
  await expect(run('/compare --models a,b,c Fix it')).rejects.toThrow('The disk is full.');
  expect([made, started]).toEqual([[], []]);
});

test('without names the user chooses, and one model may try more than once', async () => {
  const { started, run } = bench({ pickModels: async () => ['a', 'b'] });
  await run('/compare Fix it');
  await run('/compare --models=a,a,a Fix it');
  expect(started.map(({ attempts }) => attempts.map(({ model }) => model))).toEqual([
    ['a', 'b'],
    ['a', 'a', 'a'],
  ]);
});

test.each([
  ['/compare', /^Use \/compare/],
  ['/compare --models a,b', /^Use \/compare/],
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
