import { type FileHandle, open } from 'node:fs/promises';
import type { Journal } from '../platform/storage.ts';
import { toFileError } from './fileErrors.ts';

/** Opens for appending, makes the file if there is none, and cuts off a torn last line. One writer at a time. */
export async function openNodeJournal(path: string): Promise<Journal> {
  let handle: FileHandle | undefined;
  try {
    // Append mode, so that not even a second window on the same session could overwrite a line.
    handle = await open(path, 'a+', 0o600);
    const { size } = await handle.stat();
    const whole = await findWholeLines(handle, size);
    if (whole < size) await handle.truncate(whole);
    return new NodeJournal(path, handle);
  } catch (error) {
    await handle?.close();
    throw toFileError(error, path);
  }
}

/** Bytes up to and with the last line's end; what follows was torn. */
export function wholeLinesLength(bytes: Uint8Array): number {
  return bytes.lastIndexOf(lineEnd) + 1;
}

const lineEnd = 0x0a;
const block = 64 * 1024;

async function findWholeLines(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(Math.min(block, size));
  for (let end = size; end > 0; end -= block) {
    const start = Math.max(0, end - block);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const whole = wholeLinesLength(buffer.subarray(0, bytesRead));
    if (whole > 0) return start + whole;
  }
  return 0;
}

/*
 * Lines wait in memory until the write before them is done, then go to the file together. After a failed write
 * the file is cut back to its last whole line and the lines keep waiting: the next append or flush tries again,
 * so that a disk that was full for a while costs nothing.
 */
class NodeJournal implements Journal {
  private readonly path: string;
  private readonly handle: FileHandle;
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  private failure: unknown;
  private closing: Promise<void> | undefined;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.handle = handle;
  }

  append(line: string): void {
    if (this.closing) throw new Error('The journal is closed.');
    this.waiting.push(`${line}\n`);
    void this.write();
  }

  async flush(): Promise<void> {
    await this.write();
    if (this.failure !== undefined) throw toFileError(this.failure, this.path);
    try {
      await this.handle.datasync();
    } catch (error) {
      throw toFileError(error, this.path);
    }
  }

  close(): Promise<void> {
    this.closing ??= this.flush().finally(() => this.handle.close());
    return this.closing;
  }

  /** Resolves once all that waits was tried. Never rejects: the outcome is in `failure`. */
  private write(): Promise<void> {
    if (this.writing === undefined && this.waiting.length > 0) this.writing = this.writeWaiting();
    return this.writing ?? Promise.resolve();
  }

  private async writeWaiting(): Promise<void> {
    this.failure = undefined;
    while (this.waiting.length > 0 && this.failure === undefined) {
      const lines = this.waiting;
      this.waiting = [];
      this.failure = await this.findFailure(lines.join(''));
      if (this.failure !== undefined) this.waiting = [...lines, ...this.waiting];
    }
    // In the same breath as the last look at `waiting`, so that no line falls between two writes.
    this.writing = undefined;
  }

  private async findFailure(text: string): Promise<unknown> {
    let whole: number | undefined;
    try {
      whole = (await this.handle.stat()).size;
      await this.handle.appendFile(text);
      return undefined;
    } catch (error) {
      // Should cutting fail too, the first failure counts; opening the journal again repairs a torn end.
      if (whole !== undefined) await this.handle.truncate(whole).catch(() => {});
      return error;
    }
  }
}
