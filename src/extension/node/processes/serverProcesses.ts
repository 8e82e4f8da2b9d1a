import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { t } from '../../../protocol/language.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, LocalizedError, messageOf } from '../../base/errors.ts';
import { namesSecret } from '../../base/maskSecrets.ts';
import { headOf } from '../../base/text.ts';
import { describeDeniedHost, hasStarted } from '../../platform/sandbox.ts';
import type {
  ServerExit,
  ServerProcess,
  ServerProcesses,
  ServerProgram,
} from '../../platform/serverProcesses.ts';
import { endTree, isGroupAlive } from './endTree.ts';
import { GroupReaper } from './groupReaper.ts';
import { ProgramFinder } from './programs.ts';
import { fileNamesOf } from './searchPath.ts';
import { type EnvironmentVariables, shellEnvironment } from './shell.ts';
import { waitForOutput } from './waitForOutput.ts';

/** Time from the end of its input until SIGTERM. Most servers exit on their own. */
const goodbyeMs = 700;
/** A server with more unread input counts as hanging. */
const maxUnread = 16 * 1024 * 1024;
const maxLogLineLength = 4_000;

/** Runs servers as child processes in their own group, without the secrets in this process's environment. */
export class NodeServerProcesses implements ServerProcesses {
  private readonly environment: EnvironmentVariables;
  private readonly programs: ProgramFinder;
  private readonly reaper = new GroupReaper();
  private readonly running = new Set<NodeServerProcess>();
  private disposed = false;

  constructor(
    environment: EnvironmentVariables = process.env,
    programs = new ProgramFinder(() => [], environment),
  ) {
    this.programs = programs;
    this.environment = Object.fromEntries(Object.entries(environment).filter(([name]) => !namesSecret(name)));
  }

  start(program: ServerProgram): ServerProcess {
    const started = new NodeServerProcess(program, () => {
      if (this.disposed)
        throw new LocalizedError(() => t('Folio is closing, so no more servers are started.'));
      return startProgram(program, this.programs, shellEnvironment(this.environment, program.env));
    });
    const { pid } = started;
    if (pid === undefined) return started;
    this.running.add(started);
    if (process.platform !== 'win32') this.reaper.watch(pid);
    void started.gone.then(() => {
      this.running.delete(started);
      if (process.platform !== 'win32') this.reaper.forget(pid);
    });
    return started;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.running].map(each => each.stop()));
    this.reaper.close();
  }
}

/** On Windows, programs such as `npx` are scripts that only a shell can start; the library does the quoting. */
function startProgram(
  program: ServerProgram,
  programs: ProgramFinder,
  wholeEnv: Record<string, string>,
): ChildProcess {
  const { command, sandboxed } = program;
  const found = wholePath(programs, command, wholeEnv);
  // PATH also determines its interpreter, so clean it, unless the server's configuration sets it.
  const isMeant = programs.isInside(found) || /^path$/im.test(Object.keys(program.env ?? {}).join('\n'));
  const plain = { ...program, file: found, env: isMeant ? wholeEnv : programs.cleanEnvironment(wholeEnv) };
  const { file, args, cwd, env } = sandboxed?.wrap({ ...plain, given: program.env }) ?? plain;
  return spawn(file, [...args], {
    cwd,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Error code: the program exists only in the workspace. */
const onlyInside = 'EWORKSPACE';

/** Resolves a program outside of the workspace, without relative entries of PATH. */
function wholePath(programs: ProgramFinder, command: string, env: Record<string, string>): string {
  if (/[\\/]/.test(command)) return command;
  const path = env.PATH ?? env.Path;
  const names = fileNamesOf(command, env, process.platform);
  for (const name of names) {
    const file = programs.find(name, path);
    if (file !== undefined) return file;
  }
  const isThere = names.some(name => programs.isThere(name, path));
  throw Object.assign(new Error(`There is no program ${command}.`), {
    code: isThere ? onlyInside : 'ENOENT',
  });
}

class NodeServerProcess implements ServerProcess {
  readonly pid: number | undefined;
  readonly exit: Promise<ServerExit>;
  /** Resolves when nothing of its group runs. */
  readonly gone: Promise<void>;
  private readonly program: ServerProgram;
  private readonly child: ChildProcess | undefined;
  private readonly read = new Emitter<Uint8Array>();
  private readonly logged = new Emitter<string>();
  readonly onDidRead = this.read.event;
  readonly onDidLog = this.logged.event;
  private stopping: Promise<void> | undefined;
  private ended = false;

  constructor(program: ServerProgram, start: () => ChildProcess) {
    this.program = program;
    try {
      this.child = start();
    } catch (error) {
      this.exit = this.leaveSandbox(this.failed(error));
      this.gone = Promise.resolve();
      return;
    }
    this.pid = this.child.pid;
    this.child.stdout?.on('data', (bytes: Buffer) => this.read.fire(bytes));
    followLines(this.child, line => this.logged.fire(line));
    // A broken pipe is reported by the exit of the process.
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr])
      stream?.on('error', () => {});
    this.exit = this.follow(this.child);
    this.gone = this.exit.then(() => undefined);
  }

  private async leaveSandbox(exit: ServerExit): Promise<ServerExit> {
    try {
      const report = await this.program.sandboxed?.leave();
      for (const host of report?.hosts ?? []) this.logged.fire(describeDeniedHost(host));
      return hasStarted({ code: exit.code, report }) ? exit : { ...exit, sandboxEnded: true };
    } catch (error) {
      this.logged.fire(`Its sandbox could not be taken down: ${messageOf(error)}`);
    }
    return exit;
  }

  async write(text: string): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin || this.ended || !stdin.writable) throw new LocalizedError(() => t('The server has ended.'));
    if (stdin.writableLength > maxUnread)
      throw new LocalizedError(() => t('The server does not read its input.'));
    await new Promise<void>((resolve, reject) => {
      stdin.write(text, error => (error ? reject(error) : resolve()));
    });
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    this.child?.stdin?.end();
    await Promise.race([this.gone, sleep(goodbyeMs)]);
    if (this.pid !== undefined && !this.ended) await endTree(this.pid);
    await this.gone;
  }

  private async follow(child: ChildProcess): Promise<ServerExit> {
    const closed = new Promise<void>(resolve => child.on('close', () => resolve()));
    const end = await endOf(child);
    if ('error' in end) {
      this.ended = true;
      return await this.leaveSandbox(this.failed(end.error));
    }
    this.ended = true;
    // Ends processes that it left running in its group, because nothing else would.
    if (child.pid !== undefined && isGroupAlive(child.pid)) await endTree(child.pid);
    await waitForOutput(closed);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return await this.leaveSandbox(end);
  }

  private failed(error: unknown): ServerExit {
    const { command, cwd } = this.program;
    const isFolderThere = existsSync(cwd);
    const failure = () => {
      if (!isFolderThere) return t('Its folder {0} does not exist.', cwd);
      if (errorCode(error) === onlyInside)
        return t(
          'The program {0} was found only in the workspace, which Folio does not search for safety. Install it elsewhere, or give its full path.',
          command,
        );
      return errorCode(error) === 'ENOENT'
        ? t('The program {0} was not found. Install it, or give its full path.', command)
        : t('The program {0} could not start: {1}', command, messageOf(error));
    };
    return { code: null, signal: null, failure };
  }
}

type End = { readonly code: number | null; readonly signal: string | null } | { readonly error: unknown };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    // Emitted instead of `exit` if the program could not start. Signal errors concern running ones.
    child.on('error', error => {
      if (child.pid === undefined) resolve({ error });
    });
  });
}

/** Reads standard error line by line, and limits each line. */
function followLines({ stderr }: ChildProcess, notify: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let open = '';
  const take = (text: string) => {
    const lines = (open + text).split(/\r?\n/);
    open = headOf(lines.pop() ?? '', maxLogLineLength);
    for (const line of lines) if (line.trim() !== '') notify(headOf(line, maxLogLineLength));
  };
  stderr?.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
  stderr?.on('end', () => take(`${decoder.end()}\n`));
}
