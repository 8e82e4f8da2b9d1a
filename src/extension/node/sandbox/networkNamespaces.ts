/*
 * Programs know proxies by an address, not by a path, so a command that may reach hosts gets a port on a loopback of
 * its own. A port is opened from inside a network alone, by a program that takes longer to start than all sandbox to be
 * built. So a supervisor, a small program of Node, waits in a network that has nothing else. For each command it opens
 * a new port and hands it over, open, to this process, whose `HostProxy` answers there; the sandbox of the command are
 * built in that network. What came to an old port is gone with it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import type { Programs } from '../processes/programs.ts';

/** A network for one command. */
export interface NetworkNamespace {
  readonly port: number;
  /** Connections to the port come in here; whoever closes it closes the port. */
  readonly door: Server;
  /** The words in front of a program that is to run in the network. */
  readonly entry: readonly string[];
  /**
   * Once the door is closed. The next command gets the network when all who were in it are gone.
   * @param first the process whose end is the end of all others in the network; absent: it is not known
   */
  leave(first: number | undefined): void;
}

/** Gives each command a network in which nothing else is. One that is not used waits for the next command. */
export class NetworkNamespaces {
  private readonly programs: Programs;
  private readonly supervisors = new Set<Supervisor>();
  private waiting: { readonly supervisor: Supervisor; readonly first: number } | undefined;
  private isOver = false;

  constructor(programs: Programs) {
    this.programs = programs;
  }

  /** Rejects with what bubblewrap says when the system does not let a network be made. */
  async open(bubblewrap: string): Promise<NetworkNamespace> {
    const nsenter = this.programs.find('nsenter');
    if (nsenter === undefined) throw new SpokenError(() => t('The program {0} is missing.', 'nsenter'));
    const { supervisor, port, pid, door } = await this.openPort(bubblewrap);
    return {
      port,
      door,
      entry: [nsenter, '--target', String(pid), '--user', '--net', '--preserve-credentials'],
      leave: first => this.takeBack(supervisor, first),
    };
  }

  /** Commands that continue keep their networks. */
  dispose(): void {
    this.isOver = true;
    for (const supervisor of this.supervisors) supervisor.end();
  }

  private async openPort(bubblewrap: string): Promise<OpenPort & { readonly supervisor: Supervisor }> {
    const waiting = this.takeWaiting();
    // Somebody may have ended it while it waited; then there is none.
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

/** The first process of a command ends after all others. Another that got its number makes it look alive. */
function hasEnded(first: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${first}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

interface OpenPort {
  readonly port: number;
  /** The supervisor's own. */
  readonly pid: number;
  readonly door: Server;
}

/** Ends with this process. */
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
        reject(new SpokenError(() => this.said.trim() || t('The network of a command could not be made.')));
      child.once('error', fail).once('close', fail);
      child.once('message', ({ port, pid }: { port: number; pid: number }, door) => {
        child.off('error', fail).off('close', fail);
        this.letHostEnd();
        resolve({ port, pid, door: door as Server });
      });
      child.ref();
      child.send('open', () => {
        // One that cannot hear it has ended, and then it is told why.
      });
    });
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  /** One that waits does not keep this process from ending. */
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
