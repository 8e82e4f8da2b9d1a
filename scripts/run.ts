import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard output goes to standard error, for callers whose own output is read. */
  readonly quiet?: boolean;
  /** Stands before each line of the output, so that programs which run at once can be told apart. */
  readonly label?: string;
  /** Aborted: the program is ended, and what it returns then counts. */
  readonly signal?: AbortSignal;
}

/** The folder that holds package.json. */
export const projectRoot = resolve(import.meta.dirname, '..');

/**
 * Runs a program with its output passed on, and returns its exit code. Tools that npm installed are found by name.
 * Fails when the program cannot be started.
 */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
  const { label } = options;
  return new Promise((resolvePromise, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? projectRoot,
      env: toolEnvironment(options.env),
      stdio: [
        'ignore',
        label !== undefined ? 'pipe' : options.quiet ? 2 : 1,
        label !== undefined ? 'pipe' : 2,
      ],
      // npm and its tools are .cmd files on Windows, which only a shell starts.
      shell: process.platform === 'win32',
    });
    for (const output of [child.stdout, child.stderr]) if (output) printLabelled(output, label ?? '');
    const end = () => void child.kill();
    options.signal?.addEventListener('abort', end, { once: true });
    child.on('error', reject);
    child.on('close', code => {
      options.signal?.removeEventListener('abort', end);
      resolvePromise(code ?? 1);
    });
  });
}

function printLabelled(output: Readable, label: string): void {
  createInterface({ input: output }).on('line', line => console.log(`${label} │ ${line}`));
}

/** Like `run`, but a non-zero exit code is an error with this sentence. */
export async function runOrFail(
  command: string,
  args: readonly string[],
  problem: string,
  options: RunOptions = {},
): Promise<void> {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${problem} (${command} ended with code ${code}).`);
}

/** The environment with this project's tools, and the Node that runs this script, first on the PATH. */
export function toolEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [
    join(projectRoot, 'node_modules', '.bin'),
    join(process.execPath, '..'),
    process.env.PATH ?? '',
  ];
  return { ...process.env, PATH: path.join(delimiter), ...extra };
}

/** The first folder of the PATH that has one of these programs decides. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.flatMap(folder => names.map(name => join(folder, name))).find(path => existsSync(path));
}
