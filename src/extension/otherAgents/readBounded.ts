import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../base/errors.ts';

/** Bytes that are read of a file for the list, and for a session. */
export const listLimit = 256 * 1024;
export const sessionLimit = 64 * 1024 * 1024;
/** Characters of one line. */
const lineLimit = 16 * 1024 * 1024;

export interface BoundedFile {
  readonly path: string;
  readonly changedAt: number;
}

/** JSON of each line, `undefined` for one that is none or too long. A last line without its end counts if it is whole. */
export async function* readJsonLines(path: string, limit: number): AsyncGenerator<unknown> {
  const size = (await stat(path)).size;
  let rest = '';
  let isSkipping = false;
  const stream = createReadStream(path, { encoding: 'utf8', end: limit - 1, highWaterMark: 1024 * 1024 });
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (isSkipping) yield undefined;
      else if (line.trim() !== '') yield parse(line);
      isSkipping = false;
    }
    if (isSkipping || rest.length > lineLimit) {
      isSkipping = true;
      rest = '';
    }
  }
  // The rest of a longer file was cut here, not torn.
  if (size <= limit && (isSkipping || rest.trim() !== '')) yield isSkipping ? undefined : parse(rest);
}

/** The JSON of a whole file; `undefined` where it is larger, or none. */
export async function readJson(path: string, limit: number): Promise<unknown> {
  const file = await open(path, 'r');
  try {
    if ((await file.stat()).size > limit) return undefined;
    return parse(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

export async function isLarger(path: string, limit: number): Promise<boolean> {
  return (await stat(path)).size > limit;
}

/** Names in a folder; none where it is not there or not readable. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** The newest regular files of a folder that are called so, newest first. Links are not followed. */
export async function newestFiles(
  folder: string,
  pattern: RegExp,
  count: number,
): Promise<readonly BoundedFile[]> {
  const files: BoundedFile[] = [];
  for (const name of (await namesIn(folder)).filter(each => pattern.test(each))) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile()) files.push({ path, changedAt: found.mtimeMs });
  }
  return files.sort((a, b) => b.changedAt - a.changedAt).slice(0, count);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Counted by the caller.
    return undefined;
  }
}
