/* The real program for spec-driven work, as a person runs it in their project; it sends nothing anywhere. */

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const program = resolve(import.meta.dirname, '../../node_modules/@fission-ai/openspec/bin/openspec.js');

/** Rejects with what it printed when it does not end well. */
export async function openspec(folder: string, ...args: readonly string[]): Promise<string> {
  const home = join(folder, '..');
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    OPENSPEC_TELEMETRY: '0',
    DO_NOT_TRACK: '1',
    CI: '1',
  };
  const { stdout } = await run(process.execPath, [program, ...args], { cwd: folder, env });
  return stdout;
}
