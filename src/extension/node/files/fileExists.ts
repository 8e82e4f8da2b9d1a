import { stat } from 'node:fs/promises';
import { isMissing, toFileError } from './fileErrors.ts';

/** Rejects with a `FileError` if it cannot be determined. */
export async function fileExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, path);
  }
}
