import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Journal, SessionInUse } from '../../platform/storage.ts';
import { toFileError } from '../files/fileErrors.ts';
import type { FileLock } from '../files/fileLock.ts';

/**
 * Opens for appending, makes the file if there is none, and cuts off a torn last line. One writer at a time.
 * @param lock given back when the journal closes
 */
export function openNodeJournal(path: string, lock?: FileLock): Journal {
  let file: number | undefined;
  try {
    // Append mode, so that not even a second window on the same session could overwrite a line.
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

/** Bytes up to and with the last line's end; what follows was torn. */
export function wholeLinesLength(bytes: Uint8Array): number {
  return bytes.lastIndexOf(lineEnd) + 1;
}

/**
 * The whole lines, without their ends. Each is decoded separately: one letter beyond Latin-1 would otherwise double
 * the memory of the whole journal and make all of it slow to cut.
 */
export function splitLines(bytes: Buffer): readonly string[] {
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
 * A line is written before `append` returns: the panel hears of an event after that, so whatever it showed outlives a
 * kill of the host. The system takes a line into its own memory in some ten microseconds; what takes long is to get
 * it to the disk, and only `flush` waits for that. After a failed write the file is cut back to its last whole line,
 * and the lines wait for the next flush, so that a disk that was full for a while costs nothing.
 */
class NodeJournal implements Journal {
  private readonly path: string;
  private readonly file: number;
  private readonly lock: FileLock | undefined;
  private lines: string[] = [];
  private characters = 0;
  /** One after the other, so that none is under way when the file is closed. */
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
    // After a refused line it would only be refused again, and the text of all of them be copied each time.
    if (!isFirst) return;
    try {
      this.write();
    } catch {
      // It waits, which `waiting` tells; the flush that tries again says why.
    }
  }

  async flush(): Promise<void> {
    try {
      this.write();
      const sync = this.syncing.then(() => dataSync(this.file));
      // The caller of this one hears of its failure.
      this.syncing = sync.catch(() => {});
      await sync;
    } catch (error) {
      throw error instanceof SessionInUse ? error : toFileError(error, this.path);
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
    if (this.lock?.isLost) throw new SessionInUse();
    writeWhole(this.file, Buffer.from(this.lines.join('')));
    this.lines = [];
    this.characters = 0;
  }
}

/** All of it or nothing. */
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
    // The first failure counts; opening the journal again repairs a torn end.
  }
}
