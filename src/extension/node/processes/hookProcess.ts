import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { inEnglish, t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { namesSecret } from '../../base/maskSecrets.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HookExit, HookProcesses, HookSpec } from '../../platform/customizations/hooks.ts';
import {
  describeDeniedHost,
  describeQuarantined,
  type ProgramSandbox,
  runWithSandboxRetries,
  type SandboxedProcess,
  type SandboxReport,
} from '../../platform/sandbox.ts';
import { SystemClock } from '../systemClock.ts';
import { endTree, isGroupAlive } from './endTree.ts';
import { GroupReaper } from './groupReaper.ts';
import { ProgramFinder } from './programs.ts';
import { type EnvironmentVariables, shellCommand, shellEnvironment } from './shell.ts';
import { waitForOutput } from './waitForOutput.ts';

/** Time between SIGTERM and SIGKILL after a timeout. A stop by the user waits less. */
const timeoutGraceMs = 5000;

/** Retained characters of each stream. A hook's answer is at the start or, after log output, at the end. */
const outputLimits = { head: 1_000_000, tail: 3_000_000 };

/** Runs hooks as child processes in their own group, without the secrets in this process's environment. */
export class NodeHookProcesses implements HookProcesses {
  private readonly environment: Record<string, string>;
  private readonly reaper = new GroupReaper();
  private readonly closing = new AbortController();
  private readonly running = new Set<Promise<HookExit>>();
  private readonly clock: Pick<Clock, 'after'>;
  private readonly sandboxed: ProgramSandbox | undefined;
  private readonly programs: ProgramFinder;

  /** @param sandboxes omitted: a hook that requires the sandbox does not run @param programs finds the shell */
  constructor(
    environment: EnvironmentVariables = process.env,
    clock: Pick<Clock, 'after'> = new SystemClock(),
    sandboxed?: ProgramSandbox,
    programs = new ProgramFinder(() => [], environment),
  ) {
    this.programs = programs;
    this.clock = clock;
    this.sandboxed = sandboxed;
    const open = Object.entries(environment).filter(([name]) => !namesSecret(name));
    this.environment = Object.fromEntries(open.filter((entry): entry is [string, string] => !!entry[1]));
  }

  run(spec: HookSpec, signal: AbortSignal): Promise<HookExit> {
    const either = AbortSignal.any([signal, this.closing.signal]);
    const exit = either.aborted ? Promise.resolve({ kind: 'stopped' } as const) : this.start(spec, either);
    this.running.add(exit);
    void exit.then(() => this.running.delete(exit));
    return exit;
  }

  async dispose(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.running);
    this.reaper.close();
  }

  private async start(spec: HookSpec, signal: AbortSignal): Promise<HookExit> {
    const { sandbox: grants, cwd } = spec;
    if (!grants) return await this.runIn(undefined, spec, signal);
    const { sandboxed } = this;
    if (!sandboxed) return { kind: 'failed', message: t('It does not run: there is no sandbox here.') };
    try {
      const { exit, report } = await runWithSandboxRetries(
        () => sandboxed.sandboxProgram({ grants, cwd, lasting: false }),
        async inside => {
          const exit = await this.runIn(inside, spec, signal);
          return { exit, code: exit.kind === 'ended' ? exit.code : null, report: await inside.leave() };
        },
      );
      return withReport(exit, report);
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  private async runIn(
    sandboxed: SandboxedProcess | undefined,
    spec: HookSpec,
    signal: AbortSignal,
  ): Promise<HookExit> {
    if (signal.aborted) return { kind: 'stopped' };
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawnHook(spec, this.programs, shellEnvironment(this.environment, spec.env), sandboxed);
    } catch (error) {
      return { kind: 'failed', message: t('It could not start: {0}', messageOf(error)) };
    }
    const { pid } = child;
    if (pid !== undefined && process.platform !== 'win32') this.reaper.watch(pid);
    const exit = await follow(child, spec, signal, this.clock);
    if (pid !== undefined && process.platform !== 'win32') this.reaper.forget(pid);
    return exit;
  }
}

/** Appends denied hosts and undone changes to its messages, except to a JSON answer, which must stay valid. */
function withReport(exit: HookExit, { hosts, undone }: SandboxReport): HookExit {
  if ((exit.kind !== 'ended' && exit.kind !== 'timedOut') || exit.stderr.trim().startsWith('{')) return exit;
  const words = [
    exit.stderr.trimEnd(),
    ...hosts.map(describeDeniedHost),
    ...undone.map(
      each => `The sandbox took back what is protected: ${inEnglish(() => describeQuarantined(each))}.`,
    ),
  ];
  return words.length === 1 ? exit : { ...exit, stderr: words.filter(Boolean).join('\n') };
}

function spawnHook(
  spec: HookSpec,
  programs: ProgramFinder,
  wholeEnv: Record<string, string>,
  sandboxed: SandboxedProcess | undefined,
): ChildProcessWithoutNullStreams {
  const plain = { ...shellCommand(programs, commandFor(spec)), cwd: spec.cwd, env: wholeEnv };
  const { file, args, cwd, env } = sandboxed?.wrap({ ...plain, given: spec.env }) ?? plain;
  return spawn(file, args, {
    cwd,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** PowerShell uses another syntax for environment variables. */
function commandFor({ command, env }: HookSpec): string {
  if (process.platform !== 'win32') return command;
  const names = Object.keys(env).join('|');
  return command.replace(new RegExp(`\\$(?:\\{(${names})\\}|(${names})\\b)`, 'g'), '$${env:$1$2}');
}

async function follow(
  child: ChildProcessWithoutNullStreams,
  { input, timeoutMs, graceMs = timeoutGraceMs }: HookSpec,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
): Promise<HookExit> {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const closed = new Promise<void>(resolve => child.on('close', () => resolve()));
  // A hook need not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const over = new AbortController();
  const ends = [endOf(child), timeUp(timeoutMs, clock, over.signal), stopOf(signal, over.signal)];
  const first = await Promise.race(ends);
  over.abort();
  if (child.pid !== undefined) await endRest(child.pid, first, graceMs, signal);
  await waitForOutput(closed);
  child.stdout.destroy();
  child.stderr.destroy();
  switch (first.kind) {
    case 'ended':
      return { kind: 'ended', code: first.code, stdout: stdout(), stderr: stderr() };
    case 'timedOut':
      return { kind: 'timedOut', stdout: stdout(), stderr: stderr() };
    case 'stopped':
    case 'failed':
      return first;
  }
}

type End =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

function endOf(child: ChildProcessWithoutNullStreams): Promise<End> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) =>
      resolve(
        code === null
          ? { kind: 'failed', message: t('It was ended by {0}.', signal ?? '?') }
          : { kind: 'ended', code },
      ),
    );
    child.on('error', error =>
      resolve({ kind: 'failed', message: t('It could not start: {0}', messageOf(error)) }),
    );
  });
}

function timeUp(ms: number, clock: Pick<Clock, 'after'>, over: AbortSignal): Promise<End> {
  return new Promise(resolve => {
    const takeBack = clock.after(ms, () => resolve({ kind: 'timedOut' }));
    over.addEventListener('abort', takeBack, { once: true });
  });
}

function stopOf(signal: AbortSignal, over: AbortSignal): Promise<End> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve({ kind: 'stopped' }), { once: true, signal: over });
  });
}

/** Ends processes that a hook left running in its group, because nothing else would. */
async function endRest(pid: number, end: End, graceMs: number, signal: AbortSignal): Promise<void> {
  if (end.kind !== 'timedOut') {
    if (end.kind !== 'ended' || isGroupAlive(pid)) await endTree(pid);
    return;
  }
  // When the user stops it, the timeout's grace period does not apply.
  const hurry = () => void endTree(pid);
  signal.addEventListener('abort', hurry, { once: true });
  await endTree(pid, graceMs);
  signal.removeEventListener('abort', hurry);
}

function collect(stream: ChildProcessWithoutNullStreams['stdout']): () => string {
  const kept = new HeadAndTail(outputLimits);
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => kept.append(text));
  // A broken pipe ends the text.
  stream.on('error', () => {});
  return () => kept.text;
}
