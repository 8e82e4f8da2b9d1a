import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ProcessOutput, Sink } from './processOutput.ts';
import { findSystemProgram } from './programs.ts';

/**
 * One pipe for both streams, so that their order is exact. It is a named pipe which loses its name at once: the
 * pipes that Node makes are sockets, and a command cannot open /dev/stderr when that is a socket.
 */
export function openPipe(sink: Sink): ProcessOutput {
  const path = join(tmpdir(), `folio-${randomBytes(8).toString('hex')}.pipe`);
  const mkfifo = findSystemProgram('mkfifo');
  const made = mkfifo && spawnSync(mkfifo, ['-m', '600', path], { stdio: 'ignore' });
  if (!made || made.error || made.status !== 0) throw new Error(`A pipe could not be made in ${tmpdir()}.`);
  const ends: number[] = [];
  try {
    // The reader comes first and does not wait; then the writer need not wait either.
    ends.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    ends.push(openSync(path, constants.O_WRONLY));
  } catch (error) {
    for (const end of ends) closeSync(end);
    throw error;
  } finally {
    unlinkSync(path);
  }
  return new PipeOutput(ends[0]!, ends[1]!, sink);
}

/** Patience with programs that hold the pipe after the process has ended, milliseconds. */
const shortWait = 150;
const maxWaitMs = 2000;

class PipeOutput implements ProcessOutput {
  readonly childEnd: number;
  private readonly socket: Socket;
  private readonly ended: Promise<void>;
  private sink: Sink | undefined;
  private received = 0;
  private over = false;

  constructor(hostEnd: number, childEnd: number, sink: Sink) {
    this.childEnd = childEnd;
    this.sink = sink;
    this.socket = new Socket({ fd: hostEnd, readable: true, writable: false });
    this.socket.on('data', bytes => {
      this.received += bytes.length;
      this.sink?.(bytes as Buffer);
    });
    this.ended = new Promise(resolve => {
      this.socket.on('close', () => {
        this.over = true;
        resolve();
      });
    });
    // `close` follows; a broken pipe is an ended one.
    this.socket.on('error', () => {});
  }

  /**
   * Usually the pipe ends with the process. Where a process left behind holds it open, what the ended one wrote
   * is in the pipe already: one round of the event loop without bytes means that all of it was read.
   */
  async drain(): Promise<void> {
    await this.endWithin(shortWait);
    const end = performance.now() + maxWaitMs;
    let before = -1;
    while (!this.over && this.received !== before && performance.now() < end) {
      before = this.received;
      await setImmediate();
      await setImmediate();
    }
  }

  private async endWithin(ms: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms);
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Reads on into nothing, because closing would kill a writer that was left behind. */
  detach(): void {
    this.sink = undefined;
    this.socket.unref();
  }
}
