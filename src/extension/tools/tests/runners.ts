/* Arguments for test runners: which tests to run, no watch mode, and a report that can be parsed. */

import type { TestReportFormat } from './parseTestOutcomes.ts';

/** Parts of a command line. Each is one shell word, quoted if needed. */
export interface RunArguments {
  /** Relative to the project's folder; absent for all. */
  readonly file?: string;
  readonly name?: string;
  /** The name as a regular expression. */
  readonly namePattern?: string;
  /** Absolute. */
  readonly report: string;
  /** Options and files in the project's own script. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

export interface Runner {
  readonly name: string;
  /** Test files that it can run. */
  readonly files: RegExp;
  /** Absent if only its output is available. */
  readonly report?: TestReportFormat;
  readonly run: (words: RunArguments) => readonly string[];
  /** Arguments to append to a command that already names the program. */
  readonly more?: (words: RunArguments) => readonly string[];
  /** Absent if it cannot list its tests. */
  readonly list?: (words: Pick<RunArguments, 'file'>) => readonly string[];
}

const scripts = /\.[cm]?[jt]sx?$/;

const vitestOptions = ({ report, file, operands, namePattern }: RunArguments) => [
  '--reporter=default',
  '--reporter=junit',
  `--outputFile.junit=${report}`,
  ...filesOf(file, operands),
  ...optional('-t', namePattern),
];
const jestOptions = ({ report, file, operands, namePattern }: RunArguments) => [
  '--json',
  `--outputFile=${report}`,
  ...optional('-t', namePattern),
  ...(file === undefined ? operands : ['--runTestsByPath', file]),
];
const mochaOptions = ({ report, file, operands, name }: RunArguments) => [
  '--reporter',
  'xunit',
  '--reporter-option',
  `output=${report}`,
  ...filesOf(file, operands),
  ...optional('--fgrep', name),
];

export const vitest: Runner = {
  name: 'vitest',
  files: scripts,
  report: 'junit',
  run: words => ['npx', 'vitest', 'run', ...words.options, ...vitestOptions(words)],
  more: vitestOptions,
  list: ({ file }) => ['npx', 'vitest', 'list', ...filesOf(file)],
};

export const jest: Runner = {
  name: 'jest',
  files: scripts,
  report: 'jest',
  run: words => ['npx', 'jest', ...words.options, ...jestOptions(words)],
  more: jestOptions,
  list: ({ file }) => ['npx', 'jest', '--listTests', ...filesOf(file)],
};

export const mocha: Runner = {
  name: 'mocha',
  files: scripts,
  report: 'junit',
  run: words => ['npx', 'mocha', ...words.options, ...mochaOptions(words)],
  more: mochaOptions,
  list: ({ file }) => ['npx', 'mocha', '--dry-run', ...filesOf(file)],
};

export const nodeTest: Runner = {
  name: 'node --test',
  files: scripts,
  report: 'junit',
  run: ({ report, file, operands, options, namePattern }) => [
    'node',
    '--test',
    ...options.filter(option => option !== '--test'),
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=junit',
    `--test-reporter-destination=${report}`,
    ...(namePattern === undefined ? [] : [`--test-name-pattern=${namePattern}`]),
    ...filesOf(file, operands),
  ],
};

/** @param python the program, as one shell word */
export function pytest(python: string): Runner {
  return {
    name: 'pytest',
    files: /\.py$/,
    report: 'junit',
    run: ({ report, file, name }) => [
      ...[python, '-m', 'pytest', '-q', `--junitxml=${report}`],
      ...filesOf(file),
      ...optional('-k', name),
    ],
    list: ({ file }) => [python, '-m', 'pytest', '--collect-only', '-q', ...filesOf(file)],
  };
}

export const cargo: Runner = {
  name: 'cargo test',
  files: /\.rs$/,
  run: ({ name }) => ['cargo', 'test', ...(name === undefined ? [] : [name])],
  list: () => ['cargo', 'test', '--', '--list'],
};

export const go: Runner = {
  name: 'go test',
  files: /\.go$/,
  run: ({ file, namePattern }) => ['go', 'test', goPackage(file), ...optional('-run', namePattern)],
  list: ({ file }) => ['go', 'test', '-list', '.', goPackage(file)],
};

/** Programs that can only run all tests. */
export function fullRunRunner(name: string, words: readonly string[], files: RegExp): Runner {
  return { name, files, run: () => words };
}

function filesOf(file: string | undefined, operands: readonly string[] = []): readonly string[] {
  return file === undefined ? operands : [file];
}

function optional(option: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [option, value];
}

/** Go runs packages, which are folders. */
function goPackage(file: string | undefined): string {
  return file === undefined ? './...' : `./${file.replace(/[^/]*$/, '')}`;
}
