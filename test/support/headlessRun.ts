/* Runs the built headless entry against a server on this machine. */

import {
  atHome,
  environment,
  type HeadlessOptions,
  type HeadlessResult,
  type RunningProgram,
  runInOwnProcess,
  startInOwnProcess,
} from './headlessProgram.ts';
import { startHosted } from './programHosts.ts';
import { runSize } from './runSize.ts';

/** A run of this worker had a process of its own. */
let hasBegun = false;

export async function runHeadless(options: HeadlessOptions): Promise<HeadlessResult> {
  const { args, env, cwd, input, onStart } = options;
  if (!mayShare(onStart ? 'own' : 'shared', env)) return await runInOwnProcess(options);
  return await atHome(async home => {
    const program = startHosted({ args, env: environment(home, env), cwd: cwd ?? process.cwd() });
    program.stdin.end(input);
    let out = '';
    let error = '';
    program.stdout.setEncoding('utf8').on('data', text => (out += text));
    program.stderr.setEncoding('utf8').on('data', text => (error += text));
    const code = await program.exit;
    return { code, out, error };
  });
}

/** `own`: it is to get signals, or streams that break. */
export type Process = 'shared' | 'own';

/** @param env the whole environment */
export function startHeadless(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  wanted: Process = 'shared',
): RunningProgram {
  const own = Object.fromEntries(Object.entries(env).filter(([name, value]) => process.env[name] !== value));
  return mayShare(wanted, own)
    ? startHosted({ args, env, cwd: process.cwd() })
    : startInOwnProcess(args, env);
}

/**
 * The first run of a worker is in a process of its own, as a user starts it, as are those that get signals and all of
 * the large run size: how the entry starts does not depend on what a file is about. Some variables count when Node
 * starts.
 */
function mayShare(wanted: Process, env: Readonly<Record<string, unknown>> = {}): boolean {
  const isFirst = !hasBegun;
  hasBegun = true;
  const share = runSize({ test: 1, prove: 0 }) === 1 && wanted === 'shared';
  return share && !isFirst && !Object.keys(env).some(name => /^NODE_|_PROXY$/i.test(name));
}
