import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, read, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ProcessOutput, Sink } from './processOutput.ts';

/**
 * Opens a file to which the process appends directly, so that its output outlives the host. Without a path the file is
 * unnamed and vanishes with its last user.
 */
export function openOutputFile(path: string | undefined, sink: Sink): ProcessOutput {
  const place = path ?? join(tmpdir(), `folio-${randomBytes(8).toString('hex')}.log`);
  // Private, because other users of the machine must not read the output of commands.
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const childEnd = openSync(place, 'a', 0o600);
  try {
    return new FileOutput(openSync(place, 'r'), childEnd, sink);
  } catch (error) {
    closeSync(childEnd);
    throw error;
  } finally {
    if (path === undefined) unlinkSync(place);
  }
}

const readBytes = promisify(read);

/** Milliseconds between checks of a file that does not grow. */
const interval = 50;

class FileOutput implements ProcessOutput {
  readonly childEnd: number;
  private readonly file: number;
  private readonly sink: Sink;
  private readonly followed: Promise<void>;
  private readonly buffer = Buffer.alloc(16 * 1024);
  private position: number;
  private over = false;
  private wake: () => void = () => {};

  constructor(file: number, childEnd: number, sink: Sink) {
    this.file = file;
    this.childEnd = childEnd;
    this.sink = sink;
    this.position = fstatSync(file).size;
    this.followed = this.follow();
  }

  drain(): Promise<void> {
    this.detach();
    return this.followed;
  }

  detach(): void {
    this.over = true;
    this.wake();
  }

  private async follow(): Promise<void> {
    try {
      let over = false;
      while (!over) {
        // Read before the data, so that everything written before the end is included.
        over = this.over;
        await this.readNew();
        if (!over) await this.pause();
      }
    } catch {
      // A disk error must not affect the process and its exit.
    } finally {
      closeSync(this.file);
    }
  }

  /** Reads up to the current end only, because a background process may write for ever. */
  private async readNew(): Promise<void> {
    const { size } = fstatSync(this.file);
    while (this.position < size) {
      const wanted = Math.min(this.buffer.length, size - this.position);
      const { bytesRead } = await readBytes(this.file, this.buffer, 0, wanted, this.position);
      if (bytesRead === 0) return;
      this.position += bytesRead;
      this.sink(this.buffer.subarray(0, bytesRead));
    }
  }

  private pause(): Promise<void> {
    if (this.over) return Promise.resolve();
    return new Promise(resolve => {
      // A background process must not keep the host alive.
      const timer = setTimeout(resolve, interval).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
