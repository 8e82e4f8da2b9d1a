import { spawn } from 'node:child_process';
import { type LocalizedMessage, plural, t } from '../../../protocol/language.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { shellEnvironment } from '../processes/shell.ts';

interface GitRun {
  /** Absolute path. */
  readonly program: string;
  /** Finds programs that git runs: filters, transports. */
  readonly programs: ProgramFinder;
  /** Absolute path inside a working tree. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Standard input. Omitted for none. */
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds. Exceeding it is a failure. */
  readonly timeLimit: number;
  /** Maximum bytes of output. Exceeding it ends the run. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type GitResult =
  | { readonly kind: 'done'; readonly output: Buffer }
  /** `code`: exit code, omitted if it did not run or was ended. `output`: its output up to the failure. */
  | {
      readonly kind: 'failed';
      readonly say: LocalizedMessage;
      readonly code?: number;
      readonly output: Buffer;
    };

/** Returns the absolute path of git, or `undefined` if there is none outside of the workspace. */
export function findGit(programs: ProgramFinder): string | undefined {
  return programs.find(process.platform === 'win32' ? 'git.exe' : 'git');
}

export function gitMissing(): GitResult {
  return {
    kind: 'failed',
    output: Buffer.of(),
    say: () => t('Git was not found on PATH. Install Git, then reload the window.'),
  };
}

/**
 * Runs git without optional locks, hooks, file monitor, pager or prompts, so that a read-only command changes nothing.
 * Rejects with the signal's reason on abort.
 */
export async function runGit(run: GitRun): Promise<GitResult> {
  run.signal.throwIfAborted();
  const result = await follow(run);
  run.signal.throwIfAborted();
  return result;
}

/** Milliseconds after SIGTERM until SIGKILL. */
const maxEndMs = 2000;

const withoutEffects = [
  '--no-pager',
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'submodule.recurse=false',
];

/** The variables of Git that are passed on. If git started the host, others would point to another repository. */
const keptVariables = /^GIT_(EXEC_PATH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES)$/;

function gitEnvironment(programs: ProgramFinder): Record<string, string> {
  const host = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || keptVariables.test(name),
  );
  const env = shellEnvironment(Object.fromEntries(host), {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  });
  return programs.cleanEnvironment(env);
}

function follow({
  program,
  programs,
  folder,
  args,
  input,
  variables,
  timeLimit,
  limit,
  signal,
}: GitRun): Promise<GitResult> {
  return new Promise(resolve => {
    const pieces: Buffer[] = [];
    let size = 0;
    let said = '';
    let reason: LocalizedMessage | undefined;
    let killing: NodeJS.Timeout | undefined;
    const child = spawn(program, [...withoutEffects, ...args], {
      cwd: folder,
      env: { ...gitEnvironment(programs), ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stop = (why: LocalizedMessage) => {
      reason = why;
      // Git removes its locks on SIGTERM. A killed one leaves them in the user's repository.
      child.kill('SIGTERM');
      killing ??= setTimeout(() => child.kill('SIGKILL'), maxEndMs);
      // A filter started by git may keep the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = () => stop(() => t('Stopped.'));
    const timer = setTimeout(() => stop(() => sayTooSlow(timeLimit)), timeLimit);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size > limit) stop(() => t('Git printed more than expected.'));
      else pieces.push(bytes);
    });
    // A git that exits before reading everything reports why on its other outputs.
    child.stdin.on('error', () => {}).end(input);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 2000) said += text;
    });
    const end = (code: number | null) => {
      clearTimeout(timer);
      clearTimeout(killing);
      signal.removeEventListener('abort', onAbort);
      if (code === 0) resolve({ kind: 'done', output: Buffer.concat(pieces) });
      else
        resolve({
          kind: 'failed',
          output: Buffer.concat(pieces),
          code: reason === undefined ? (code ?? undefined) : undefined,
          say: reason ?? (() => said.trim() || t('Git ended with {0}.', String(code))),
        });
    };
    child.on('error', error => {
      said = error.message;
      end(null);
    });
    child.on('close', end);
  });
}

function sayTooSlow(ms: number): string {
  return plural(
    ms / 1000,
    'one: Git took longer than {0} second. | other: Git took longer than {0} seconds.',
  );
}
