import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { EditorTests, TestOutcome } from '../../src/extension/platform/editorTests.ts';
import { runTestsTool } from '../../src/extension/tools/tests/runTests.ts';
import { TestPresence } from '../../src/extension/tools/tests/testPresence.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type Use, useTool } from '../support/useTool.ts';

let folder: string;
let processes: NodeProcesses;
const files = new NodeFileSystem();

beforeEach(async () => {
  folder = await temporaryFolder('folio-tests-');
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  // Another run of these tests on this machine keeps its commands.
  processes = new NodeProcesses(env, `tests-${process.pid}`);
});

afterEach(async () => {
  await processes.dispose();
});

interface World {
  readonly command?: string;
  readonly editorTests?: EditorTests;
  readonly silence?: number;
}

async function world(given: Readonly<Record<string, string>>, around: World = {}) {
  const { command = '', editorTests, silence = 0 } = around;
  for (const [path, text] of Object.entries(given)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const paths = new WorkspacePaths(files, [folder]);
  const presence = new TestPresence({ files, tests: editorTests }, paths, () => command);
  await presence.settle();
  const saved: string[] = [];
  const tool = runTestsTool(
    {
      files,
      paths,
      clock: new SystemClock(),
      processes,
      inactivityTimeout: () => silence,
      outputLimit: () => 40_000,
      outputFolder: () => join(folder, '.outputs'),
    },
    { presence, editorTests, command: () => command, files, platform: process.platform },
  );
  const run = async (args: object = {}, use?: Use) => (await useTool(tool, args, use)).text;
  return { tool, run, presence, saved };
}

const nodeProject = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
  'sums.test.js': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
describe('sums', () => {
  it('adds', () => {
    console.log('\\x1b[31mloud\\x1b[0m');
    assert.equal(1 + 1, 3);
  });
  it('takes', () => assert.equal(2 - 1, 1));
  it.skip('later', () => {});
});
`,
};

describe('a project of node --test', () => {
  test('tells counts and of the failure what was expected, what came, and where', async () => {
    const { run, presence } = await world(nodeProject);
    expect(presence.isThere).toBe(true);
    const text = await run();
    expect(text).toMatch(/^1 passed, 1 failed, 1 skipped\./);
    expect(text).toContain('sums > adds (sums.test.js:6)\nExpected values to be strictly equal:\n\n2 !== 3');
    expect(text).toContain('The whole output is in /saved: read parts of it with read_file.');
    expect(text).not.toMatch(/\u001b|at TestContext|takes/);
    // The report is nobody's file.
    expect(await readdir(join(folder, '.outputs'))).toEqual([]);
  });

  test('runs a file, or tests by name, and says which there are where none is named so', async () => {
    const { run } = await world({
      ...nodeProject,
      'other.test.js': "import { test } from 'node:test';\ntest('is (fine)', () => {});\n",
    });
    expect(await run({ file_path: 'other.test.js' })).toBe('1 passed.');
    expect(await run({ name: 'is (fine)' })).toMatch(/^1 passed\.$/);
    const none = await run({ file_path: 'other.test.js', name: 'nowhere' });
    expect(none).toMatch(/^No test has “nowhere” in its name\./);
    await expect(run({ file_path: 'missing.test.js' })).rejects.toThrow('There is no missing.test.js.');
  });

  test('asks with the line that runs, as a command that can be held', async () => {
    const { run } = await world(nodeProject);
    const decide: Use['decide'] = ({ subject, target }) => {
      expect(subject).toMatchObject({ kind: 'command', cwd: '.' });
      expect(target).toMatchObject({ kind: 'command', cwd: folder, canBeHeld: true });
      expect(target?.kind === 'command' && target.command).toMatch(/^node --test --test-reporter=spec /);
      return undefined;
    };
    await run({}, { decide });
  });

  test('that hangs is stopped by silence, and says so with what it printed', async () => {
    const { run } = await world(
      {
        'package.json': nodeProject['package.json'],
        'slow.test.js':
          "import { test } from 'node:test';\nconsole.log('begun');\ntest('hangs', () => new Promise(() => setInterval(() => {}, 1000)));\n",
      },
      { silence: 3 },
    );
    const text = await run();
    expect(text).toMatch(/^Stopped: no output for 3 s\. There is no report of its tests to read/);
  });

  test('that is stopped ends with the reason of that', async () => {
    const stopping = new AbortController();
    const { run } = await world({
      'package.json': nodeProject['package.json'],
      'slow.test.js':
        "import { test } from 'node:test';\ntest('hangs', () => new Promise(() => setInterval(() => {}, 1000)));\n",
    });
    const reason = new Error('Stopped');
    const decide = () => {
      setTimeout(() => stopping.abort(reason), 500);
      return undefined;
    };
    await expect(run({}, { signal: stopping.signal, decide })).rejects.toBe(reason);
    expect(await readdir(join(folder, '.outputs'))).toEqual([]);
  });

  test('that floods its output still tells what failed', async () => {
    const flood = "for (let at = 0; at < 100; at++) console.log('x'.repeat(1_000_000));";
    const { run } = await world({
      ...nodeProject,
      'flood.test.js': `import { test } from 'node:test';\nimport assert from 'node:assert';\ntest('floods', () => { ${flood} assert.ok(false, 'wet'); });\n`,
    });
    const text = await run({ file_path: 'flood.test.js' });
    expect(text).toMatch(/^1 failed\.[\s\S]*floods \(flood\.test\.js:3\)\nwet/);
    expect(text.length).toBeLessThan(2_000);
  });
});

describe('a project of vitest', () => {
  const project = {
    'package.json':
      '{ "type": "module", "scripts": { "test": "vitest" }, "devDependencies": { "vitest": "*" } }',
    'sums.test.ts': `import { describe, expect, it } from 'vitest';
describe('sums', () => {
  it('adds', () => expect({ sum: 2 }).toEqual({ sum: 3 }));
  it('takes', () => {});
});
`,
  };

  test('that watches by its own script runs once and tells the difference', async () => {
    const { run } = await world(project);
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    const text = await run();
    expect(text).toMatch(/^1 passed, 1 failed\./);
    expect(text).toContain('sums > adds (sums.test.ts:3)');
    expect(text).toMatch(/- Expected\n\+ Received[\s\S]*"sum": 3,\n\+ {3}"sum": 2,/);
    expect(await run({ name: 'sums > takes', file_path: 'sums.test.ts' })).toBe('1 passed.');
    expect(await run({ list: true })).toContain('sums.test.ts > sums > adds');
  });

  test('that is not installed is not fetched from anywhere', async () => {
    const { run } = await world(project);
    await expect(run()).rejects.toThrow('vitest is not installed: node_modules/.bin does not hold it.');
  });
});

describe.runIf(await hasPytest())('a project of pytest', () => {
  test('tells counts, the assertion and its place', async () => {
    const { run } = await world({
      'test_sums.py': `def add(a, b):
    return a + b


class TestSums:
    def test_adds(self):
        assert add(1, 1) == 3


def test_takes():
    pass
`,
    });
    const text = await run();
    expect(text).toMatch(/^1 passed, 1 failed\./);
    expect(text).toContain('test_sums.TestSums > test_adds (test_sums.py:7)\nassert 2 == 3');
    expect(await run({ file_path: 'test_sums.py', name: 'test_takes' })).toBe('1 passed.');
    expect(await run({ name: 'nowhere' })).toMatch(/^Exit code: 5\. No tests ran:/);
  });
});

describe('a project whose runner writes no report', () => {
  test('shows what it printed and says so', async () => {
    const { run } = await world({ Makefile: 'test:\n\t@echo one broke; exit 3\n' });
    const text = await run({ name: 'one' });
    expect(text).toMatch(
      /^Exit code: 2\. There is no report of its tests to read, so this is what it printed:/,
    );
    expect(text).toContain('one broke');
    await expect(run({ list: true })).rejects.toThrow('make test cannot list tests.');
  });
});

test('the line of the user goes first, with what was asked for as words of the shell', async () => {
  const { run } = await world(
    { ...nodeProject, "it's.js": '' },
    { command: 'printf "[%s]" file {file} name {name}' },
  );
  expect(await run({ file_path: "it's.js", name: '$(id)' })).toContain("[file][it's.js][name][$(id)]");
  expect(await run()).toContain('[file][name]');
});

test('where nobody knows tests the tool is not offered, and says what to do', async () => {
  const { tool, run } = await world({ 'a.txt': '' });
  expect(tool.isOffered?.()).toBe(false);
  await expect(run()).rejects.toThrow('No tests are known here.');
});

test('a script that does more before its tests is run whole, with the report asked for behind it', async () => {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(
    join(folder, 'node_modules/.bin/vitest'),
    '#!/bin/sh\nfor word; do case $word in --outputFile.junit=*) out=${word#*=};; esac; done\necho \'<testsuites><testsuite name="a"><testcase name="works"/></testsuite></testsuites>\' > "$out"\n',
  );
  await chmod(join(folder, 'node_modules/.bin/vitest'), 0o755);
  const { run } = await world({
    'package.json': '{ "scripts": { "test": "echo built && vitest run" } }',
  });
  expect(await run()).toBe('1 passed.');
});

describe('tests that an editor offers', () => {
  const outcomes: readonly TestOutcome[] = [
    {
      name: 'sums > adds',
      result: 'failed',
      message: 'Expected: 3\nReceived: 2',
      place: { path: 'a.js', line: 4 },
    },
    { name: 'sums > takes', result: 'passed' },
  ];
  const editorTests: EditorTests = {
    isAvailable: true,
    settle: async () => {},
    list: async path =>
      path.endsWith('a.js')
        ? [
            ['sums', 'adds'],
            ['sums', 'takes'],
          ]
        : [],
    run: async () => outcomes,
  };

  test('run there, by place, by name and by list', async () => {
    const { run } = await world({ ...nodeProject, 'a.js': '' }, { editorTests });
    expect(await run()).toMatch(
      /^1 passed, 1 failed\.[\s\S]*sums > adds \(a\.js:4\)\nExpected: 3\nReceived: 2/,
    );
    expect(await run({ name: 'takes' })).toBe('1 passed.');
    expect(await run({ name: 'nowhere' })).toMatch(
      /^No test has “nowhere” in its name\. There are:[\s\S]*sums > adds/,
    );
    expect(await run({ file_path: 'a.js', list: true })).toContain('sums > adds\nsums > takes');
  });

  test('are asked about without a line of shell', async () => {
    const { run } = await world({ ...nodeProject, 'a.js': '' }, { editorTests });
    const decide: Use['decide'] = ({ subject, target }) => {
      expect(subject).toEqual({ kind: 'other', detail: 'VS Code runs the tests of a.js.' });
      expect(target).toBeUndefined();
      return undefined;
    };
    await run({ file_path: 'a.js' }, { decide });
  });

  test('are not all: a file that it does not know is run by the project', async () => {
    const { run } = await world(nodeProject, { editorTests });
    expect(await run({ file_path: 'sums.test.js', name: 'takes' })).toBe('1 passed.');
  });
});

async function hasPytest(): Promise<boolean> {
  try {
    await promisify(execFile)('python3', ['-m', 'pytest', '--version']);
    return true;
  } catch {
    return false;
  }
}
