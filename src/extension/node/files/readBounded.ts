import { open, stat } from 'node:fs/promises';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';

/**
 * Reads a file that others may have created: rejects pipes and devices, which may never end, and files that grow while
 * they are read. Rejects with the system's error, or with an `UnusableFileError`.
 */
export async function readBounded(path: string, maxBytes: number): Promise<string> {
  // Checks before opening, which would block for a pipe.
  const found = await stat(path);
  if (!found.isFile()) throw new UnusableFileError(() => t('is no regular file'));
  if (found.size > maxBytes) throw new UnusableFileError(() => t('is too long to be used'));
  const file = await open(path);
  try {
    // Virtual files such as those in /proc report size 0.
    const room = Buffer.allocUnsafe(Math.max(found.size, 64 * 1024) + 1);
    let length = 0;
    while (length < room.length) {
      const { bytesRead } = await file.read(room, length, room.length - length);
      if (bytesRead === 0) return room.toString('utf8', 0, length).replace(/^\uFEFF/, '');
      length += bytesRead;
    }
    throw new UnusableFileError(() => t('is longer than it says'));
  } finally {
    await file.close();
  }
}

/**
 * The file is not a regular one, or is too large. The message completes a sentence that begins with the file: "is too long
 * to be used".
 */
export class UnusableFileError extends LocalizedError {}
