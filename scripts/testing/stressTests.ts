import { matchesGlob } from 'node:path';
import { findImports, readSources, resolveImport, type SourceFile } from '../../test/support/sourceFiles.ts';

export interface StressTest {
  readonly name: string;
  readonly about: string;
  readonly config: string;
  /** Test files or folders, whose number of trials comes from test/support/runSize.ts. */
  readonly files: readonly string[];
  /** Runs only tests with this tag, which `npm test` omits. */
  readonly tag?: string;
  /** Number of random seeds if none is given. Absent: one. */
  readonly seeds?: number;
}

/** Window tests that `npm test` omits, by tag. */
export const endToEndTests = {
  name: 'journeys',
  about: 'the longer ways through a real window',
  config: 'vitest.workbench.config.ts',
  files: ['test/workbench'],
  tag: 'journey',
} as const satisfies StressTest;

/** Unit tests that `npm test` omits, by tag, since a quicker test checks the same property. */
export const longerTests = {
  name: 'longer',
  about: 'unit tests of what quicker ones hold, too: further combinations, and the whole program',
  config: 'vitest.config.ts',
  tag: 'longer',
} as const satisfies Omit<StressTest, 'files'>;

/** Finds all property and stress tests. `npm test` runs each in a small run size. */
export async function findStressTests(): Promise<readonly StressTest[]> {
  const sources = await readSources('test');
  return [
    {
      name: 'kills',
      about: '200 kills of a session over each wire: it continues each time, and nothing is lost',
      config: 'vitest.config.ts',
      files: ['test/headless/kill.test.ts'],
    },
    {
      name: 'properties',
      about:
        'random sessions, rewinds, journals, commands, texts and decisions, some hundred thousand of them',
      config: 'vitest.config.ts',
      files: testsThatImport(sources, drawing),
    },
    {
      name: 'runs',
      about: 'every run of the built program in a process of its own, as a user starts it',
      config: 'vitest.config.ts',
      files: testsThatImport(sources, running),
    },
    {
      name: 'hunks',
      about: 'three times 10,000 runs of two sessions, commands, servers and a user who write the same files',
      config: 'vitest.config.ts',
      files: ['test/core/changes/hunks.test.ts', 'test/core/changes/commandReview.test.ts'],
      seeds: 3,
    },
    {
      name: 'worktrees',
      about: '100 plays of Git, Folio and kills in one repository: every byte of every worktree is compared',
      config: 'vitest.config.ts',
      files: ['test/node/worktreeOperations.test.ts'],
    },
    {
      name: 'background',
      about: 'kills of the background host, and of the window, while a session is handed over and works',
      config: 'vitest.config.ts',
      files: ['test/headless/backgroundKills.test.ts', 'test/headless/windowKills.test.ts'],
    },
    {
      name: 'floods',
      about: 'servers that send without end, over every wire',
      config: 'vitest.config.ts',
      files: ['test/faults/answers.test.ts'],
    },
    {
      name: 'sandbox',
      about: 'attacks on the sandbox and everyday commands in it, each in one of its own',
      config: 'vitest.config.ts',
      files: ['test/node/sandbox'],
    },
    {
      name: 'terminals',
      about: 'a gigabyte through a terminal and through a pipe, and planted passwords',
      config: 'vitest.config.ts',
      files: ['test/node/terminalStress.test.ts'],
    },
    {
      name: 'conformance',
      about: "all of the Model Context Protocol's own tests of clients",
      config: 'vitest.config.ts',
      files: ['test/mcp/conformance.test.ts'],
    },
    endToEndTests,
    { ...longerTests, files: testsWithTag(sources, longerTests.tag) },
    {
      name: 'problems',
      about: 'a hundred edits in a real window whose problems come late, and none of them stale',
      config: 'vitest.workbench.config.ts',
      files: ['test/workbench/problems.spec.ts'],
    },
    {
      name: 'rename',
      about: 'a rename over 200 files in a real window, and how long it takes',
      config: 'vitest.workbench.config.ts',
      files: ['test/workbench/rename.spec.ts'],
    },
    {
      name: 'pace',
      about: 'twenty thousand language tools of every pace, and when what they report is believed',
      config: 'vitest.config.ts',
      files: ['test/vscode/diagnosticsSettleEstimator.test.ts'],
    },
    {
      name: 'leaks',
      about: 'three thousand turns in 750 sessions, and what of them stays in memory',
      config: 'vitest.config.ts',
      files: ['test/vscode/leaks.test.ts'],
    },
    {
      name: 'idle',
      about: '1,200 changes of the session on one page, and the nodes and listeners that stay',
      config: 'vitest.panel.config.ts',
      files: ['test/panel/idle.spec.ts'],
    },
    {
      name: 'scenes',
      about: 'every state of the panel in every theme and in longer words, at five widths, by axe too',
      config: 'vitest.panel.config.ts',
      files: ['test/panel/scenes.spec.ts', 'test/panel/languages.spec.ts'],
    },
    {
      name: 'answers',
      about: 'an answer of two megabytes, and texts on which a careless parser gives up',
      config: 'vitest.panel.config.ts',
      files: ['test/panel/answers.spec.ts', 'test/panel/attacks.spec.ts'],
    },
  ];
}

/** Support files of property tests. */
const drawing = ['test/support/properties.ts', 'test/support/randomSession.ts'];

/** Support files that run the built program. */
const running = [
  'test/support/headlessRun.ts',
  'test/support/headlessWorld.ts',
  'test/acp/support/acpWorld.ts',
  'test/evals/players/playEvals.ts',
];

/** Returns unit tests that have a tag, or import a support file with it. */
function testsWithTag(sources: readonly SourceFile[], tag: string): readonly string[] {
  const tagged = sources.filter(({ text }) => text.includes(`'${tag}'`)).map(({ path }) => path);
  return [...new Set([...tagged.filter(isUnitTest), ...testsThatImport(sources, tagged)])].sort();
}

/** Returns unit tests that import one of these support files. */
function testsThatImport(sources: readonly SourceFile[], supports: readonly string[]): readonly string[] {
  return sources
    .filter(({ path }) => isUnitTest(path))
    .filter(({ path, text }) => findImports(text).some(name => supports.includes(resolveImport(path, name))))
    .map(({ path }) => path)
    .sort();
}

function isUnitTest(path: string): boolean {
  return matchesGlob(path, 'test/**/*.test.{ts,tsx}');
}
