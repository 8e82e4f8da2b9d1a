/* Finds the programs that containers need: the Dev Containers CLI, and a running engine. */

import { execFile } from 'node:child_process';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { tailOf } from '../../base/text.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { type EnvironmentVariables, shellEnvironment } from '../processes/shell.ts';

/** Absolute paths. */
export interface ContainerTools {
  readonly cli: string;
  /** Docker or Podman. */
  readonly engine: string;
}

/** Time limit for the engine's answer. */
const answerMs = 15_000;

/** Throws `LocalizedError`. Prefers Docker, like the CLI. */
export async function findContainerTools(
  programs: ProgramFinder,
  env: EnvironmentVariables,
  signal: AbortSignal,
): Promise<ContainerTools> {
  if (process.platform === 'win32')
    throw new LocalizedError(() => t('On Windows, open the folder in WSL: containers are used from there.'));
  const cli = programs.find('devcontainer');
  if (cli === undefined)
    throw new LocalizedError(() =>
      t('The Dev Containers CLI is missing. Install it: npm install -g @devcontainers/cli'),
    );
  const engines = ['docker', 'podman'].flatMap(name => programs.find(name) ?? []);
  if (engines.length === 0)
    throw new LocalizedError(() => t('There is neither Docker nor Podman. Install one of them.'));
  let said = '';
  for (const engine of engines) {
    const { code, output } = await runTool(engine, ['ps', '-q'], programs, env, signal);
    if (code === 0) return { cli, engine };
    said = output.trim().split('\n').at(-1) ?? '';
  }
  throw new LocalizedError(() => t('The container engine does not answer. Start it. It says: {0}', said));
}

interface ToolEnd {
  /** `null` if it was ended or could not start. */
  readonly code: number | null;
  readonly stdout: string;
  /** The end of its complete output. */
  readonly output: string;
}

/** Rejects only with the signal's reason. */
export function runTool(
  file: string,
  args: readonly string[],
  programs: ProgramFinder,
  env: EnvironmentVariables,
  signal: AbortSignal,
  timeout = answerMs,
): Promise<ToolEnd> {
  const options = { env: toolEnvironment(programs, env), cwd: '/', signal, timeout, maxBuffer: 16_000_000 };
  return new Promise((resolve, reject) => {
    execFile(file, [...args], options, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason);
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      const printed = `${stdout}${stderr}` || (error?.message ?? '');
      resolve({ code, stdout, output: tailOf(printed, 4000) });
    });
  });
}

/** Omits model keys, and PATH entries in the workspace. */
export function toolEnvironment(programs: ProgramFinder, env: EnvironmentVariables): Record<string, string> {
  return { ...shellEnvironment(env), ...programs.pathVariable };
}
