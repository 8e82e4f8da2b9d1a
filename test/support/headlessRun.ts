/* Runs the built headless entry against a server on this machine. */

import { expect } from 'vitest';
import { dose } from './dose.ts';
import {
  atHome,
  environment,
  type HeadlessOptions,
  type HeadlessResult,
  runInOwnProcess,
} from './headlessProgram.ts';
import { startHosted } from './programHosts.ts';

/** Files of tests that have had a run in a process of its own. */
const begun = new Set<string>();

/**
 * The first run of a file is in a process of its own, as a person starts it, and so is each that needs one; in the
 * large dose all are. The others share one.
 */
export async function runHeadless(options: HeadlessOptions): Promise<HeadlessResult> {
  const file = expect.getState().testPath ?? '';
  const isFirst = !begun.has(file);
  begun.add(file);
  if (isFirst || needsOwnProcess(options) || dose({ test: 0, prove: 1 }) === 1)
    return await runInOwnProcess(options);
  const { args, env, cwd = process.cwd() } = options;
  return await atHome(async home => {
    const program = startHosted({ args, env: environment(home, env), cwd });
    program.stdin.end();
    let out = '';
    let error = '';
    program.stdout.setEncoding('utf8').on('data', text => (out += text));
    program.stderr.setEncoding('utf8').on('data', text => (error += text));
    const code = await program.exit;
    return { code, out, error };
  });
}

/** Signals are for a process, and some variables count when it starts. */
function needsOwnProcess({ env = {}, onStart }: HeadlessOptions): boolean {
  return onStart !== undefined || Object.keys(env).some(name => /^NODE_|_PROXY$/i.test(name));
}
