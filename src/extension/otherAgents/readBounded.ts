import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../base/errors.ts';
import { tryParseJson } from '../base/record.ts';

/** Bytes read of a file for the list, and for a session. */
export const listLimit = 256 * 1024;
export const sessionLimit = 64 * 1024 * 1024;
/** Maximum characters of one line. */
const lineLimit = 16 * 1024 * 1024;

export interface BoundedFile {
  readonly path: string;
  readonly changedAt: number;
}

/**
 * Yields the JSON of each line, `undefined` for an invalid or too long one. Accepts an unterminated last line if it is
 * valid.
 */
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
  // A longer file was cut here on purpose, so do not report the partial line.
  if (size <= limit && (isSkipping || rest.trim() !== '')) yield isSkipping ? undefined : parse(rest);
}

/** Parses a JSON file. Resolves to `undefined` if it is too large or invalid. */
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

/** Names in a folder. Empty if the folder is missing or unreadable. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** The newest regular files in a folder with a matching name, newest first. Does not follow links. */
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
  return tryParseJson(text.replace(/^\uFEFF/, ''));
}
