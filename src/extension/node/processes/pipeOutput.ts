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
 * One pipe for both streams, so that their order is exact. It is a named pipe, unlinked at once: Node's own pipes are
 * sockets, and a command cannot open /dev/stderr if that is a socket.
 */
export function openPipe(sink: Sink): ProcessOutput {
  const path = join(tmpdir(), `folio-${randomBytes(8).toString('hex')}.pipe`);
  const mkfifo = findSystemProgram('mkfifo');
  const made = mkfifo && spawnSync(mkfifo, ['-m', '600', path], { stdio: 'ignore' });
  if (!made || made.error || made.status !== 0) throw new Error(`A pipe could not be made in ${tmpdir()}.`);
  const ends: number[] = [];
  try {
    // Open the reader first and non-blocking, so that the writer does not block either.
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

/** Milliseconds to wait for programs that keep the pipe open after the process has ended. */
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
    // `close` follows, so a broken pipe counts as ended.
    this.socket.on('error', () => {});
  }

  /**
   * Usually the pipe closes with the process. If a remaining process keeps it open, the output of the ended one is
   * already in the pipe: one event loop round without bytes means that all was read.
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

  /** Keeps reading and discards, because closing would kill a remaining writer. */
  detach(): void {
    this.sink = undefined;
    this.socket.unref();
  }
}
