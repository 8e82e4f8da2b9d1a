import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** True to send standard output to standard error, for callers whose output is parsed. */
  readonly quiet?: boolean;
  /** Prefix of each output line, to tell parallel programs apart. */
  readonly label?: string;
  /** Ends the program when aborted. Its exit code counts as usual. */
  readonly signal?: AbortSignal;
}

/** Folder of package.json. */
export const projectRoot = resolve(import.meta.dirname, '..');

/**
 * Runs a program, passes its output on, and returns its exit code. Tools installed by npm are found by name. Rejects if
 * the program cannot be started.
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
      // On Windows npm and its tools are .cmd files, which need a shell.
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

/** Like `run`, but throws an error with this sentence for a non-zero exit code. */
export async function runOrFail(
  command: string,
  args: readonly string[],
  problem: string,
  options: RunOptions = {},
): Promise<void> {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${problem} (${command} ended with code ${code}).`);
}

/** Returns an environment with this project's tools and the current Node first on PATH. */
export function toolEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [
    join(projectRoot, 'node_modules', '.bin'),
    join(process.execPath, '..'),
    process.env.PATH ?? '',
  ];
  return { ...process.env, PATH: path.join(delimiter), ...extra };
}

/** Finds one of these programs in the first folder of PATH that has any. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.flatMap(folder => names.map(name => join(folder, name))).find(path => existsSync(path));
}
