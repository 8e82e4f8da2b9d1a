import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import { relative, sep } from 'node:path';
import { join as joinInside } from 'node:path/posix';
import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { LocalizedError } from '../../base/errors.ts';
import { namesSecret } from '../../base/maskSecrets.ts';
import type { ContainerLocation, ContainerPlan } from '../../platform/containers.ts';
import type { Processes, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { Launch } from '../../platform/sandbox.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import type { EnvironmentVariables } from '../processes/shell.ts';
import { type ContainerTools, findContainerTools, runTool, toolEnvironment } from './containerTools.ts';
import { containerKillScript, containerRunScript } from './insideScripts.ts';
import { readContainerPlan } from './readPlan.ts';
import { parseCliResult } from './readResult.ts';

export interface DevContainerContext {
  readonly programs: ProgramFinder;
  readonly env: EnvironmentVariables;
  /** True if the user allowed exactly this plan. */
  readonly isApproved: (plan: ContainerPlan) => Promise<boolean>;
}

interface Started extends ContainerTools {
  readonly id: string;
  readonly plan: ContainerPlan;
}

/** Maximum number of log lines of the CLI in an error message. */
const shownLines = 15;

/** The container of one workspace, whether it runs or not. */
export class DevContainer {
  private readonly place: ContainerLocation;
  private readonly machine: DevContainerContext;
  private readonly own: Pick<Processes, 'start'>;
  private readonly run = randomUUID();
  private started: Started | undefined;
  private guard: ContainerGuard | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(place: ContainerLocation, machine: DevContainerContext, own: Pick<Processes, 'start'>) {
    this.place = place;
    this.machine = machine;
    this.own = own;
  }

  /**
   * Resolves when it runs. Rejects with a `LocalizedError`, or with the signal's reason.
   * @param report receives the output of the start
   */
  ready(report: (text: string) => void, signal: AbortSignal): Promise<void> {
    // Runs one start at a time; the second finds the container running.
    const before = this.last;
    const ready = abortable(before, signal).then(() => this.makeReady(report, signal));
    this.last = Promise.allSettled([before, ready]);
    return ready;
  }

  /** Call only after `ready`. @param mark unique id that identifies all processes of the command */
  exec(spec: ProcessSpec, mark: string): RunningProcess {
    const { started, place, own } = this;
    if (!started) throw new LocalizedError(() => t('The container is not started.'));
    const inside = this.insideOf(spec.cwd);
    const run = spec.background ? '' : this.run;
    const groupFile = spec.background ? groupFileOf(mark) : '';
    const variables = Object.entries(spec.env ?? {}).map(([name, value]) => `${name}=${value}`);
    const args = ['exec', '--docker-path', started.engine, '--container-id', started.id];
    const script = ['/bin/sh', '-c', containerRunScript, 'folio', inside, mark, run, groupFile];
    return own.start({
      ...spec,
      cwd: place.folder,
      env: undefined,
      answerable: false,
      sandboxed: {
        wrap: this.wrapTool(started.cli, started.plan, [...args, ...script, spec.command, ...variables]),
      },
    });
  }

  /**
   * Ends all processes with this mark, including those that left its group. Resolves to false if there were none. Never
   * rejects.
   */
  async end(mark: string): Promise<boolean> {
    const { started, machine } = this;
    if (!started) return false;
    const args = [
      'exec',
      '--user',
      '0',
      started.id,
      '/bin/sh',
      '-c',
      containerKillScript,
      'folio',
      `FOLIO_COMMAND=${mark}`,
    ];
    const { signal } = new AbortController();
    const { stdout } = await runTool(started.engine, args, machine.programs, machine.env, signal);
    return stdout.includes('found');
  }

  /** Ends the remaining foreground commands. */
  close(): void {
    this.guard?.close();
    this.guard = undefined;
  }

  private async makeReady(report: (text: string) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.started && (await this.isRunning(this.started, signal))) return;
    const { machine, place } = this;
    const tools = await findContainerTools(machine.programs, machine.env, signal);
    const plan = await readContainerPlan(place.folder, tools, machine.programs, machine.env, signal);
    if (!(await machine.isApproved(plan))) throw new LocalizedError(describeChanged);
    const id = await this.up(tools, plan, report, signal);
    this.started = { ...tools, id, plan };
    this.guard?.close();
    this.guard = new ContainerGuard(
      tools.engine,
      id,
      toolEnvironment(machine.programs, machine.env),
      this.run,
    );
  }

  private async isRunning({ engine, id }: Started, signal: AbortSignal): Promise<boolean> {
    const { programs, env } = this.machine;
    const args = ['ps', '-q', '--no-trunc', '--filter', `id=${id}`];
    const { stdout } = await runTool(engine, args, programs, env, signal);
    return stdout.includes(id);
  }

  /** Creates and starts it, or restarts it. Returns its id. */
  private async up(
    { cli, engine }: ContainerTools,
    plan: ContainerPlan,
    report: (text: string) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const { folder } = this.place;
    const args = ['up', '--workspace-folder', folder, '--docker-path', engine];
    const process = this.own.start({
      command: [cli, 'up'].join(' '),
      cwd: folder,
      sandboxed: { wrap: this.wrapTool(cli, plan, args) },
    });
    let printed = '';
    const writing = process.onDidWrite(text => {
      printed += text;
      report(readable(text));
    });
    const stop = () => void process.stop();
    signal.addEventListener('abort', stop, { once: true });
    const exit = await process.exit;
    signal.removeEventListener('abort', stop);
    writing.dispose();
    signal.throwIfAborted();
    const { outcome, containerId, message } = parseCliResult(printed) ?? {};
    if (outcome === 'success' && typeof containerId === 'string') return containerId;
    const why = typeof message === 'string' ? message : (exit.failure ?? '');
    if (/spawn docker-compose ENOENT/.test(why))
      throw new LocalizedError(() => t('The container needs Docker Compose, which is missing. Install it.'));
    const lines = readable(printed).trim().split('\n').slice(-shownLines);
    throw new LocalizedError(() =>
      t('The container did not start. {0}', `${why}\n${lines.join('\n')}`.trim()),
    );
  }

  /**
   * An image may ask the CLI for variables like the configuration does, but the user does not see those. Passes
   * variables whose names suggest a secret only if the user saw them.
   */
  private wrapTool(
    file: string,
    { facts }: ContainerPlan,
    args: readonly string[],
  ): (launch: Launch) => Launch {
    const { pathVariable } = this.machine.programs;
    const seen = new Set(facts.flatMap(({ kind, text }) => (kind === 'variable' ? [text] : [])));
    const mayHave = (name: string) => seen.has(name) || !namesSecret(name);
    const without = (env: Launch['env']) =>
      Object.fromEntries(Object.entries(env).filter(([name]) => mayHave(name)));
    return launch => ({ ...launch, file, args, env: { ...without(launch.env), ...pathVariable } });
  }

  /** Other folders do not exist in the container, unless its mount contains them. */
  private insideOf(path: string): string {
    const { folder, inside } = this.place;
    return joinInside(inside, relative(realpathSync(folder), realpathSync(path)).split(sep).join('/'));
  }
}

/** A shell word for the container's `kill` that yields the process group of a background command. */
export function processGroupExpression(mark: string): string {
  return ['$(cat ', groupFileOf(mark), ')'].join('');
}

function groupFileOf(mark: string): string {
  return `/tmp/folio-${mark}`;
}

function describeChanged(): string {
  return t(
    'The devcontainer.json, or a file that it uses, has changed since you allowed it. Review it again with /isolate --container.',
  );
}

/** Removes times, and the result object, from the log. */
function readable(text: string): string {
  return text.replace(/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] /gm, '').replace(/^\{"outcome":.*\n?/gm, '');
}

/**
 * Ends the remaining commands in a container when the host exits for any reason, because an engine does not end
 * commands of a dead client. A small shell waits at a pipe, like that of `GroupReaper`.
 */
class ContainerGuard {
  private readonly shell: ChildProcess;

  /** @param env variables for the engine. @param run mark of the commands that end with the host */
  constructor(engine: string, containerId: string, env: Readonly<Record<string, string>>, run: string) {
    this.shell = spawn('/bin/sh', ['-c', script, 'folio', engine, containerId, containerKillScript, run], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Commands also run without the guard; only a killed host would leave some behind.
    this.shell.on('error', () => {});
    this.shell.stdin?.on('error', () => {});
    this.shell.unref();
    if (this.shell.stdin instanceof Socket) this.shell.stdin.unref();
  }

  close(): void {
    this.shell.stdin?.end();
  }
}

const script = `
cat > /dev/null
exec "$1" exec --user 0 "$2" /bin/sh -c "$3" folio "FOLIO_RUN=$4"
`;
