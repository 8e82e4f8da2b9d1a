import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

/** Finds each line that says "bad", as linters do, and writes down which files it was asked about. */
const linter = `import { appendFileSync, readFileSync } from 'node:fs';
const [path] = process.argv.slice(2);
appendFileSync('asked.txt', path + '\\n');
const found = readFileSync(path, 'utf8').split('\\n').flatMap((line, index) =>
  line.includes('bad') ? [\`\${path}:\${index + 1}:1: error: \${line.trim()} is bad\`] : []);
console.log(found.join('\\n'));
process.exitCode = found.length > 0 ? 1 : 0;
`;

const world = eachTest(() => HeadlessWorld.make());

beforeEach(async () => {
  await writeFile(join(world.workspace, 'lint.mjs'), linter);
});

const setHome = (checkCommand: object) =>
  writeFile(join(world.home, '.gemini', 'settings.json'), JSON.stringify({ folio: { checkCommand } }));

function run(...more: readonly string[]) {
  const args = ['--prompt', 'go', '--approval-mode', 'autoEdit', ...more];
  return world.run(args, { env: { HOME: world.home, USERPROFILE: world.home } });
}

const write = (file_path: string, content: string) => call('write_file', { file_path, content });

/** What the model is told of each of its edits. */
async function resultsOf(calls: readonly ReturnType<typeof call>[], ...more: readonly string[]) {
  for (const each of calls) world.server.script([each]);
  world.server.script([text('Done.')]);
  const { code, error } = await run(...more);
  expect(code).toBe(0);
  const results = world.server.requests.slice(1).map(request => lastResults(request)[0]?.output ?? '');
  return { results, error };
}

async function asked(): Promise<readonly string[]> {
  const reported = await readFile(join(world.workspace, 'asked.txt'), 'utf8').catch(() => '');
  return reported.split('\n').filter(Boolean);
}

describe('after an edit without a window', () => {
  it('the model is told that a settings file does not parse any more, and nothing once it does', async () => {
    await writeFile(join(world.workspace, 'a.json'), '{\n  "a": 1\n}\n');
    const { results } = await resultsOf([
      call('read_file', { file_path: 'a.json' }),
      write('a.json', '{\n  "a": 1\n  "b": 2\n}\n'),
      write('a.json', '{\n  "a": 1,\n  "b": 2\n}\n'),
    ]);
    results.shift();
    expect(results[0]).toMatch(/The edit brought 1 new problem:\nline 3: error: invalid character/);
    expect(results[1]).not.toContain('new problem');
  });

  it('the model is told what it broke in scripts of both shells', async () => {
    const { results } = await resultsOf([
      write('a.sh', 'if [ -f a ]; then\n  echo a\n'),
      write('a.ps1', 'if ($a {\n  "b"\n}\n'),
      write('b.sh', 'if [ -f a ]; then\n  echo a\nfi\n'),
    ]);
    expect(results[0]).toMatch(/The edit brought \d+ new problems?:\n/);
    expect(results[1]).toMatch(/The edit brought \d+ new problems?:\n/);
    expect(results[2]).not.toContain('new problem');
  });

  it('the model is told what it broke in source code, and not what was broken before', async () => {
    await writeFile(join(world.workspace, 'old.py'), 'print "old"\n');
    const { results } = await resultsOf([
      write('a.py', 'def f(a:\n    return a\n'),
      write('a.ts', 'const a: number = ;\n'),
      write('b.ts', 'const b: number = 1;\n'),
      call('read_file', { file_path: 'old.py' }),
      write('old.py', '# Here since 1999.\nprint "old"\n'),
    ]);
    expect(results[0]).toMatch(/The edit brought \d new problems?:\nline 1: error: /);
    expect(results[1]).toMatch(/The edit brought \d new problems?:\nline 1: error: /);
    expect(results[2]).not.toContain('new problem');
    expect(results[4]).not.toContain('new problem');
  });

  it('the check of the settings runs on a file of its glob, and only what is new is told', async () => {
    await setHome({ '*.txt': 'node lint.mjs {file}' });
    await writeFile(join(world.workspace, "it's 1.txt"), 'good\nold bad\n');
    const { results, error } = await resultsOf([
      call('read_file', { file_path: "it's 1.txt" }),
      write("it's 1.txt", 'above\ngood\nold bad\nnew bad\n'),
      write("it's 1.txt", 'above\ngood\nold bad\n'),
      write('other.md', 'bad\n'),
    ]);
    expect(error).toBe('');
    results.shift();
    expect(results[0]).toMatch(/The edit brought 1 new problem:\nline 4: error: new bad is bad$/);
    expect(results[1]).not.toContain('new problem');
    expect(results[2]).not.toContain('new problem');
    expect(await asked()).toEqual(Array(4).fill(join(world.workspace, "it's 1.txt")));
  });

  it('all problems of a file that it made are new', async () => {
    await setHome({ 'src/**/*.txt': 'node lint.mjs "{file}"' });
    const { results } = await resultsOf([write('src/deep/new.txt', 'bad\n'), write('top.txt', 'bad\n')]);
    expect(results[0]).toContain('line 1: error: bad is bad');
    expect(results[1]).not.toContain('new problem');
  });

  it('a check that cannot be found is told to the user once, and the edits stand', async () => {
    await setHome({ '*.txt': 'no-such-linter-anywhere {file}' });
    const { results, error } = await resultsOf([write('a.txt', 'one\n'), write('a.txt', 'two\n')]);
    expect(results.join()).not.toContain('new problem');
    expect(error.match(/was not found/g)).toHaveLength(1);
    expect(error).toContain('`no-such-linter-anywhere {file}` of folio.checkCommand');
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('two\n');
  });

  it('a check that a rule forbids does not run, and the user reads why', async () => {
    await setHome({ '*.txt': 'node lint.mjs {file}' });
    const policy = join(world.folder, 'rules.toml');
    await writeFile(
      policy,
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "node"\ndecision = "deny"\npriority = 100\n',
    );
    const { results, error } = await resultsOf([write('a.txt', 'bad\n')], '--policy', policy);
    expect(results[0]).not.toContain('new problem');
    expect(error).toContain('of folio.checkCommand is not run. A rule forbids');
    expect(await asked()).toEqual([]);
  });
});

describe('a check that the workspace names', () => {
  beforeEach(async () => {
    await mkdir(join(world.workspace, '.gemini'));
    await writeFile(
      join(world.workspace, '.gemini', 'settings.json'),
      JSON.stringify({ folio: { checkCommand: { '*.txt': 'node lint.mjs {file}' } } }),
    );
  });

  it('does not run before somebody has seen it', async () => {
    const { results, error } = await resultsOf([write('a.txt', 'bad\n')]);
    expect(results[0]).not.toContain('new problem');
    expect(error).toMatch(/settings of .* do not count/);
    expect(await asked()).toEqual([]);
  });

  it('runs once it is vouched for', async () => {
    const { results, error } = await resultsOf([write('a.txt', 'bad\n')], '--trusted');
    expect(results[0]).toContain('line 1: error: bad is bad');
    expect(error).toBe('');
  });

  it('is left out with a sentence where it is no object of commands', async () => {
    await writeFile(
      join(world.workspace, '.gemini', 'settings.json'),
      JSON.stringify({ folio: { checkCommand: { '*.txt': ['node', 'lint.mjs'] } } }),
    );
    const { error } = await resultsOf([write('a.txt', 'bad\n')], '--trusted');
    expect(error).toContain('"folio.checkCommand" must be an object of commands by glob. It is ignored.');
  });
});
