/*
 * Programs take a proxy's address, not a path, so a command with granted hosts gets a port on its own loopback
 * interface. A port can only be opened from inside a network namespace, by a program that starts slower than a whole
 * sandbox. So a supervisor, a small Node program, waits in an otherwise empty namespace. For each command it opens a
 * new port and passes the socket to this process, whose `HostProxy` serves it. The command's sandbox is started in that
 * namespace. Connections to an old port end with it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { ProgramFinder } from '../processes/programs.ts';

/** A network namespace for one command. */
export interface NetworkNamespace {
  readonly port: number;
  /** Accepts connections to the port. Closing it closes the port. */
  readonly door: Server;
  /** Command prefix that runs a program in the namespace. */
  readonly entry: readonly string[];
  /**
   * Call after closing the door. The next command gets the namespace when all its processes have ended.
   * @param first process whose end means the end of all others in the namespace; omitted if unknown
   */
  leave(first: number | undefined): void;
}

/** Gives each command an empty network namespace, and reuses unused ones. */
export class NetworkNamespaces {
  private readonly programs: ProgramFinder;
  private readonly supervisors = new Set<Supervisor>();
  private waiting: { readonly supervisor: Supervisor; readonly first: number } | undefined;
  private isOver = false;

  constructor(programs: ProgramFinder) {
    this.programs = programs;
  }

  /** Rejects with bubblewrap's message if the system forbids network namespaces. */
  async open(bubblewrap: string): Promise<NetworkNamespace> {
    const nsenter = this.programs.find('nsenter');
    if (nsenter === undefined) throw new LocalizedError(() => t('The program {0} is missing.', 'nsenter'));
    const { supervisor, port, pid, door } = await this.openPort(bubblewrap);
    return {
      port,
      door,
      entry: [nsenter, '--target', String(pid), '--user', '--net', '--preserve-credentials'],
      leave: first => this.takeBack(supervisor, first),
    };
  }

  /** Running commands keep their namespaces. */
  dispose(): void {
    this.isOver = true;
    for (const supervisor of this.supervisors) supervisor.end();
  }

  private async openPort(bubblewrap: string): Promise<OpenPort & { readonly supervisor: Supervisor }> {
    const waiting = this.takeWaiting();
    // The supervisor may have been killed while it waited.
    const opened = await waiting?.openPort().catch(() => undefined);
    if (waiting && opened) return { supervisor: waiting, ...opened };
    const supervisor = this.start(bubblewrap);
    return { supervisor, ...(await supervisor.openPort()) };
  }

  private start(bubblewrap: string): Supervisor {
    const supervisor = new Supervisor(bubblewrap, () => {
      this.supervisors.delete(supervisor);
      if (this.waiting?.supervisor === supervisor) this.waiting = undefined;
    });
    this.supervisors.add(supervisor);
    return supervisor;
  }

  private takeWaiting(): Supervisor | undefined {
    const waiting = this.waiting;
    this.waiting = undefined;
    if (waiting === undefined || hasEnded(waiting.first)) return waiting?.supervisor;
    waiting.supervisor.end();
    return undefined;
  }

  private takeBack(supervisor: Supervisor, first: number | undefined): void {
    const isWanted = !this.isOver && this.waiting === undefined && this.supervisors.has(supervisor);
    if (isWanted && first !== undefined) this.waiting = { supervisor, first };
    else supervisor.end();
  }
}

/** The first process of a command ends after all others. If its id was reused, it looks alive. */
function hasEnded(first: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${first}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

interface OpenPort {
  readonly port: number;
  /** The supervisor's process id. */
  readonly pid: number;
  readonly door: Server;
}

/** Exits with this process. */
class Supervisor {
  private readonly child: ChildProcess;
  private said = '';

  constructor(bubblewrap: string, onEnd: () => void) {
    const sandboxed = ['--unshare-user', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent'];
    const program = ['--dev-bind', '/', '/', '--', process.execPath, '-e', script];
    this.child = spawn(bubblewrap, [...sandboxed, ...program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      cwd: '/',
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    this.child.stderr?.on('data', said => {
      this.said += said;
    });
    this.child.once('error', onEnd).once('close', onEnd);
    this.letHostEnd();
  }

  openPort(): Promise<OpenPort> {
    const { child } = this;
    return new Promise<OpenPort>((resolve, reject) => {
      const fail = () =>
        reject(
          new LocalizedError(() => this.said.trim() || t('The network of a command could not be made.')),
        );
      child.once('error', fail).once('close', fail);
      child.once('message', ({ port, pid }: { port: number; pid: number }, door) => {
        child.off('error', fail).off('close', fail);
        this.letHostEnd();
        resolve({ port, pid, door: door as Server });
      });
      child.ref();
      child.send('open', () => {
        // A failed send means that it has exited, and the exit handler reports why.
      });
    });
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  /** An idle supervisor must not keep this process alive. */
  private letHostEnd(): void {
    const { child } = this;
    child.unref();
    child.channel?.unref();
    (child.stderr as Socket | null)?.unref();
  }
}

const script = `
const net = require('net');
process.on('disconnect', () => process.exit());
process.on('message', () => {
  const door = net.createServer().listen(0, '127.0.0.1', () => {
    process.send({ port: door.address().port, pid: process.pid }, door, () => door.close());
  });
});
`;
