import { spawn } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { formatMessages } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readText, repositoryRoot } from '../support/sourceFiles.ts';

interface LaunchConfiguration {
  readonly name: string;
  readonly preLaunchTask?: string;
  readonly runtimeExecutable?: string;
  readonly program?: string;
  readonly outFiles?: readonly string[];
}

interface Task {
  readonly label: string;
  readonly script?: string;
  readonly dependsOn?: readonly string[];
  readonly problemMatcher: ProblemMatcher | readonly [];
}

interface ProblemMatcher {
  readonly pattern: readonly { readonly regexp: string }[];
  readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
}

describe('F5', () => {
  test('starts tasks, programs and npm scripts that are there', async () => {
    const { configurations, tasks, scripts } = await readFolder();
    const labels = tasks.map(({ label }) => label);
    const wanted = [
      ...configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []),
      ...tasks.flatMap(({ dependsOn }) => dependsOn ?? []),
    ];
    expect(wanted.filter(label => !labels.includes(label))).toEqual([]);
    expect(tasks.flatMap(({ script }) => script ?? []).filter(name => !(name in scripts))).toEqual([]);
    for (const { runtimeExecutable, program } of configurations)
      for (const path of [runtimeExecutable, program])
        if (path !== undefined) await access(inFolder(path, 'dist'));
  });

  test('waits for the lines that a watch build prints, and finds what it debugs with its sources', {
    tags: ['longer'],
  }, async () => {
    const { configurations, watch, scripts } = await readFolder();
    const { beginsPattern, endsPattern } = watch.background;
    expect(scripts.watch).toBe('node esbuild.mjs --watch');
    const dist = await mkdtemp(join(tmpdir(), 'folio-watch-'));
    onTestFinished(() => rm(dist, { recursive: true, force: true, maxRetries: 5 }));
    const lines = await linesUntil(new RegExp(endsPattern), ['esbuild.mjs', '--watch', '--out', dist]);
    expect(lines.filter(line => new RegExp(beginsPattern).test(line))).toHaveLength(1);
    for (const name of ['extension.js', 'headless/headless.js']) {
      const file = join(dist, name);
      const { outFiles } = configurations.find(({ outFiles }) => outFiles !== undefined)!;
      expect(outFiles!.some(glob => matchesGlob(file, inFolder(glob, dist)))).toBe(true);
      await expectSources(file);
    }
  });

  test('marks the place of what esbuild does not like', async () => {
    const { watch } = await readFolder();
    const location = { file: 'src/extension/a file.ts', line: 7, column: 2, lineText: 'const a = ;' };
    const [reported = ''] = await formatMessages([{ text: 'Unexpected ";"', location }], { kind: 'error' });
    const [first, second, third] = reported.split('\n');
    const [head, gap, place] = watch.pattern.map(({ regexp }) => new RegExp(regexp));
    expect(head!.exec(first!)?.slice(1)).toEqual(['ERROR', 'Unexpected ";"']);
    expect(gap!.test(second!)).toBe(true);
    expect(place!.exec(third!)?.slice(1)).toEqual(['src/extension/a file.ts', '7', '2']);
  });
});

async function readFolder() {
  const { configurations } = JSON.parse(await readText('.vscode/launch.json'));
  const { tasks } = JSON.parse(await readText('.vscode/tasks.json'));
  const { scripts } = JSON.parse(await readText('package.json'));
  return {
    configurations: configurations as readonly LaunchConfiguration[],
    tasks: tasks as readonly Task[],
    scripts: scripts as Readonly<Record<string, string>>,
    watch: tasks.find(({ label }: Task) => label === 'watch').problemMatcher as ProblemMatcher,
  };
}

/** A path of launch.json, with the built files in another place. */
function inFolder(path: string, dist: string): string {
  return path
    .replace('${workspaceFolder}/dist', dist)
    .replace('${workspaceFolder}', repositoryRoot)
    .replaceAll('\\', '/');
}

/** Runs a script of Node's until it prints such a line, and ends it. */
async function linesUntil(last: RegExp, args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise(resolveEnd => child.once('close', resolveEnd));
  const lines: string[] = [];
  try {
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (last.test(line)) return lines;
    }
  } finally {
    child.kill();
    await ended;
  }
  throw new Error(`The build ended early. It said:\n${lines.join('\n')}`);
}

async function expectSources(file: string): Promise<void> {
  const map = JSON.parse(await readFile(`${file}.map`, 'utf8'));
  const sources: readonly string[] = map.sources.map((source: string) =>
    relative(repositoryRoot, resolve(dirname(file), source)).replaceAll('\\', '/'),
  );
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) await access(join(repositoryRoot, source));
}
