/* Detects the program that runs a project's tests from the project's configuration files. */

import { join } from 'node:path';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import { cargo, fullRunRunner, go, jest, mocha, nodeTest, pytest, type Runner, vitest } from './runners.ts';

export interface TestProject {
  /** Absolute; where tests run. */
  readonly folder: string;
  readonly runner: Runner;
  /** Options in the project's own script, as shell words. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
  /** Variables that the script sets. */
  readonly env: Readonly<Record<string, string>>;
  /** A script that does more before it runs the tests. Appended arguments reach the runner. */
  readonly script?: readonly string[];
}

export type ProjectFiles = Pick<FileSystem, 'stat' | 'list' | 'readText'>;

/** Returns the projects of a folder, first those that a user would call "the tests". */
export async function findTestProjects(folder: string, files: ProjectFiles): Promise<readonly TestProject[]> {
  const names = new Set((await listFolder(folder, files)).map(({ name }) => name));
  const read = async (name: string) => (names.has(name) ? await readSmall(join(folder, name), files) : '');
  const found = [
    findNode(await read('package.json'), names),
    (await usesPytest(folder, names, read, files))
      ? pytest(await findPython(folder, names, files))
      : undefined,
    names.has('go.mod') ? go : undefined,
    names.has('Cargo.toml') ? cargo : undefined,
    [...names].some(name => /\.(?:sln|slnx|csproj|fsproj)$/.test(name))
      ? fullRunRunner('dotnet test', ['dotnet', 'test'], /\.(?:cs|fs)$/)
      : undefined,
    names.has('pom.xml') ? fullRunRunner('mvn test', ['mvn', '-B', '-q', 'test'], /\.java$/) : undefined,
    names.has('gradlew') ? fullRunRunner('gradlew test', ['./gradlew', 'test'], /\.(?:java|kt)$/) : undefined,
    /^test\s*:/m.test(await read('Makefile')) ? fullRunRunner('make test', ['make', 'test'], /$/) : undefined,
  ];
  return found
    .filter(each => each !== undefined)
    .map(each => ({
      options: [],
      operands: [],
      env: {},
      ...('runner' in each ? each : { runner: each }),
      folder,
    }));
}

type NodeProject = Omit<TestProject, 'folder'>;

/** npm writes this into each new package. */
const noTests = 'no test specified';

/** Options that make a runner watch for changes, or that Folio sets itself. */
const unwanted = /^--?(?:watch|watchAll|w|ui|run)$|^--(?:watch|watchAll)=/;

function findNode(text: string, names: ReadonlySet<string>): NodeProject | undefined {
  const { script, packages } = readPackage(text);
  const known = byProgram(packages);
  if (script === undefined || script.includes(noTests)) {
    const runner = known.find(each => packages.has(each.name));
    return runner && { runner, options: [], operands: [], env: {} };
  }
  const steps = script.split(/&&|;/).map(step => step.trim());
  const last = readStep(steps.at(-1) ?? '');
  const whole = wordsOfManager(names);
  if (!last)
    return { runner: fullRunRunner(whole.join(' '), whole, /$/), options: [], operands: [], env: {} };
  if (steps.length === 1) return last;
  return last.runner.more
    ? { ...last, script: whole[0] === 'npm' ? [...whole, '--'] : whole }
    : { runner: fullRunRunner(whole.join(' '), whole, /$/), options: [], operands: [], env: {} };
}

function byProgram(packages: ReadonlySet<string>): readonly Runner[] {
  return [vitest, jest, mocha].filter(({ name }) => packages.has(name));
}

function readPackage(text: string): { readonly script?: string; readonly packages: ReadonlySet<string> } {
  try {
    const { scripts, dependencies, devDependencies } = JSON.parse(text) as Record<
      string,
      Record<string, unknown>
    >;
    const script = typeof scripts?.test === 'string' ? scripts.test : undefined;
    return { script, packages: new Set(Object.keys({ ...dependencies, ...devDependencies })) };
  } catch {
    // A missing or invalid package says nothing about tests.
    return { packages: new Set() };
  }
}

/** Parses a command that runs tests and needs no shell; `undefined` for others. */
function readStep(step: string): NodeProject | undefined {
  if (/[&|<>$`\\(){}\n]/.test(step)) return undefined;
  const words = [...step.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const start = words.findIndex(word => !/^\w+=/.test(word) && word !== 'cross-env' && word !== 'npx');
  const [program, ...rest] = words.slice(start < 0 ? words.length : start);
  const runner = program === 'node' && rest.includes('--test') ? nodeTest : runners.get(program ?? '');
  if (!runner) return undefined;
  const env = Object.fromEntries(
    words
      .slice(0, start)
      .filter(word => word.includes('='))
      .map(word => [
        word.slice(0, word.indexOf('=')),
        word.slice(word.indexOf('=') + 1).replace(/^(["'])(.*)\1$/, '$2'),
      ]),
  );
  const kept = rest.filter(
    (word, at) => !unwanted.test(word) && !(at === 0 && /^(?:run|watch|dev)$/.test(word)),
  );
  // A bare word after an option may be its value.
  const isOption = (word: string, at: number) => word.startsWith('-') || /^-[^=]*$/.test(kept[at - 1] ?? '');
  const operands = kept.filter((word, at) => !isOption(word, at));
  return { runner, options: kept.filter(isOption), operands, env };
}

const runners: ReadonlyMap<string, Runner> = new Map([vitest, jest, mocha].map(each => [each.name, each]));

function wordsOfManager(names: ReadonlySet<string>): readonly string[] {
  if (names.has('pnpm-lock.yaml')) return ['pnpm', 'test'];
  if (names.has('yarn.lock')) return ['yarn', 'test'];
  return names.has('bun.lock') || names.has('bun.lockb') ? ['bun', 'run', 'test'] : ['npm', 'test'];
}

async function usesPytest(
  folder: string,
  names: ReadonlySet<string>,
  read: (name: string) => Promise<string>,
  files: ProjectFiles,
): Promise<boolean> {
  if (names.has('pytest.ini') || names.has('conftest.py') || [...names].some(isPythonTest)) return true;
  if (/^\[tool\.pytest/m.test(await read('pyproject.toml'))) return true;
  if (/^\[(?:tool:)?pytest\]/m.test(`${await read('setup.cfg')}\n${await read('tox.ini')}`)) return true;
  return (
    names.has('tests') &&
    (await listFolder(join(folder, 'tests'), files)).some(({ name }) => isPythonTest(name))
  );
}

function isPythonTest(name: string): boolean {
  return /^test_\w+\.py$|_test\.py$/.test(name);
}

/** Prefers the project's virtual environment. */
async function findPython(folder: string, names: ReadonlySet<string>, files: ProjectFiles): Promise<string> {
  for (const environment of ['.venv', 'venv']) {
    if (!names.has(environment)) continue;
    for (const program of ['bin/python', 'Scripts/python.exe'])
      if (await files.stat(join(folder, environment, program))) return `${environment}/${program}`;
  }
  return 'python3';
}

async function listFolder(folder: string, files: ProjectFiles) {
  try {
    return await files.list(folder);
  } catch (error) {
    // A folder that cannot be listed has no tests to run.
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** Maximal characters of a project's configuration. */
const longest = 1_000_000;

async function readSmall(path: string, files: ProjectFiles): Promise<string> {
  try {
    const stat = await files.stat(path);
    return stat?.kind === 'file' && stat.size < longest ? (await files.readText(path)).text : '';
  } catch (error) {
    if (error instanceof FileError) return '';
    throw error;
  }
}
