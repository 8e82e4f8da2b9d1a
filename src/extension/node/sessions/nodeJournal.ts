import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Journal, SessionInUseError } from '../../platform/storage.ts';
import { toFileError } from '../files/fileErrors.ts';
import type { FileLock } from '../files/fileLock.ts';

/**
 * Opens a journal for appending, creates it if missing, and truncates an incomplete last line. Only one writer is
 * allowed at a time.
 * @param lock released when the journal closes
 */
export function openNodeJournal(path: string, lock?: FileLock): Journal {
  let file: number | undefined;
  try {
    // Append mode, so that even a second window on the same session cannot overwrite a line.
    file = openSync(path, 'a+', 0o600);
    const { size } = fstatSync(file);
    const whole = findWholeLines(file, size);
    if (whole < size) ftruncateSync(file, whole);
    return new NodeJournal(path, file, lock);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw toFileError(error, path);
  }
}

/** Number of bytes up to the last line end. The rest is an incomplete line. */
export function wholeLinesLength(bytes: Uint8Array): number {
  return bytes.lastIndexOf(lineEnd) + 1;
}

/**
 * The complete lines without line ends. Decodes each separately: one character beyond Latin-1 would double the memory
 * of the whole journal and slow down slicing.
 */
export function splitJournalLines(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let start = 0, end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, start)) {
    lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return lines;
}

const lineEnd = 0x0a;
const block = 64 * 1024;
const dataSync = promisify(fdatasync);

function findWholeLines(file: number, size: number): number {
  const buffer = Buffer.alloc(Math.min(block, size));
  for (let end = size; end > 0; end -= block) {
    const start = Math.max(0, end - block);
    const bytesRead = readSync(file, buffer, 0, end - start, start);
    const whole = wholeLinesLength(buffer.subarray(0, bytesRead));
    if (whole > 0) return start + whole;
  }
  return 0;
}

/*
 * A line is written before `append` returns, and the panel gets an event only after that, so whatever it showed
 * survives a kill of the host. Passing a line to the system takes some ten microseconds; syncing to disk is slow, and
 * only `flush` waits for it. After a failed write the file is truncated to its last complete line, and the lines wait
 * for the next flush, so that a temporarily full disk loses nothing.
 */
class NodeJournal implements Journal {
  private readonly path: string;
  private readonly file: number;
  private readonly lock: FileLock | undefined;
  private lines: string[] = [];
  private characters = 0;
  /** Sequential, so that none runs when the file is closed. */
  private syncing: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;

  constructor(path: string, file: number, lock: FileLock | undefined) {
    this.path = path;
    this.file = file;
    this.lock = lock;
  }

  get waiting(): number {
    return this.characters;
  }

  append(line: string): void {
    if (this.closing) throw new Error('The journal is closed.');
    const isFirst = this.lines.length === 0;
    this.lines.push(`${line}\n`);
    this.characters += line.length + 1;
    // After a failed line it would only fail again, and copy all waiting lines each time.
    if (!isFirst) return;
    try {
      this.write();
    } catch {
      // The line stays queued, as `waiting` reports; the next flush reports the error.
    }
  }

  async flush(): Promise<void> {
    try {
      this.write();
      const sync = this.syncing.then(() => dataSync(this.file));
      // The caller gets this failure.
      this.syncing = sync.catch(() => {});
      await sync;
    } catch (error) {
      throw error instanceof SessionInUseError ? error : toFileError(error, this.path);
    }
  }

  close(): Promise<void> {
    this.closing ??= this.flush().finally(async () => {
      closeSync(this.file);
      await this.lock?.release();
    });
    return this.closing;
  }

  private write(): void {
    if (this.lines.length === 0) return;
    if (this.lock?.isLost) throw new SessionInUseError();
    writeWhole(this.file, Buffer.from(this.lines.join('')));
    this.lines = [];
    this.characters = 0;
  }
}

/** Writes everything or nothing. */
function writeWhole(file: number, bytes: Uint8Array): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written);
  } catch (error) {
    if (written > 0) cutBack(file, written);
    throw error;
  }
}

function cutBack(file: number, bytes: number): void {
  try {
    ftruncateSync(file, fstatSync(file).size - bytes);
  } catch {
    // Report the first error; reopening the journal repairs an incomplete line.
  }
}
