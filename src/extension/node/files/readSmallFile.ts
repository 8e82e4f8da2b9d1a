import { readFileSync, statSync } from 'node:fs';

/** No file of rules or settings is longer. */
const maxBytes = 8 * 1024 * 1024;

/** Like `readSmallFileWithBom`, but removes a byte order mark. */
export function readSmallFile(path: string): string | undefined {
  return readSmallFileWithBom(path)?.replace(/^\uFEFF/, '');
}

/**
 * Reads a small file of a workspace. Returns `undefined` if it is missing or unreadable. Does not open pipes and
 * devices, which may never end.
 */
export function readSmallFileWithBom(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > maxBytes) return undefined;
    return readFileSync(path, 'utf8');
  } catch {
    // An unreadable file counts as missing.
    return undefined;
  }
}
