import { type FileHandle, open } from 'node:fs/promises';
import type { JournalChunk } from '../../platform/storage.ts';
import { toFileError } from '../files/fileErrors.ts';
import { splitLines, wholeLinesLength } from './nodeJournal.ts';

const pieceSize = 1024 * 1024;

/**
 * Yields the complete lines of a file after `from` in chunks, so that a long journal is never in memory as a whole.
 * Starts from the beginning if no line starts there. Omits an incomplete last line.
 */
export async function* scanLines(path: string, from: number): AsyncGenerator<JournalChunk> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw toFileError(error, path);
  }
  try {
    let end = (await isLineStart(file, from)) ? from : 0;
    let rest: Buffer = Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(pieceSize);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceSize, end + rest.length);
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const whole = wholeLinesLength(bytes);
      rest = bytes.subarray(whole);
      if (whole === 0) continue;
      const start = end;
      end += whole;
      yield { lines: splitLines(bytes.subarray(0, whole)), start, end };
    }
  } catch (error) {
    throw toFileError(error, path);
  } finally {
    await file.close();
  }
}

async function isLineStart(file: FileHandle, from: number): Promise<boolean> {
  if (from <= 0) return from === 0;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, from - 1);
  return bytesRead === 1 && buffer[0] === 0x0a;
}
