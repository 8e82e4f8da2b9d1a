import { readFileSync, statSync } from 'node:fs';

/** Longer files of rules or settings are no such files. */
const maxBytes = 8 * 1024 * 1024;

/** Reads without a byte-order mark, otherwise as `readExact` does. */
export function readSmall(path: string): string | undefined {
  return readExact(path)?.replace(/^\uFEFF/, '');
}

/**
 * The text of a small file that a workspace may hold; `undefined` where there is none to read. Pipes and devices,
 * which may never end, are not opened.
 */
export function readExact(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > maxBytes) return undefined;
    return readFileSync(path, 'utf8');
  } catch {
    // Unreadable files say nothing.
    return undefined;
  }
}
