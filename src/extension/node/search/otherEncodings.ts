/*
 * ripgrep reads UTF-8, and UTF-16 with a byte order mark. Other files are detected by their bytes, decoded as when they
 * are read, and searched by a second ripgrep in one stream:
 *
 *     not UTF-8, or a NUL ─► decoded ─► joined on standard input ─► lines mapped back to their files
 */

import { readFile } from 'node:fs/promises';
import { once } from '../../base/once.ts';
import type { TextFile } from '../../platform/fileSystem.ts';

/** Decodes the bytes of a file. Resolves to `undefined` if it is no text. */
export type DecodeFile = (path: string, bytes: Uint8Array) => Promise<TextFile | undefined>;

/** Guesses each encoding, as in a run without an editor. */
export function guessingDecoder(): DecodeFile {
  const codec = once(async () => new (await import('../files/textCodec.ts')).TextCodec());
  return async (path, bytes) => (await codec()).decode(path, bytes);
}

/** Extensions of programs, pictures and archives, which need not be read. */
const binaries =
  '7z,a,avi,bin,bmp,class,db,dll,dylib,eot,exe,gif,gz,ico,jar,jpeg,jpg,mov,mp3,mp4,node,o,otf,pdf,png,pyc,so,sqlite,tgz,tif,tiff,ttf,vsix,wasm,wav,webm,webp,whl,woff,woff2,xz,zip';

/**
 * ripgrep options that list files that are not entirely UTF-8 or contain a NUL. Excludes UTF-16 with a byte order mark.
 */
export const listUndecodedArgs: readonly string[] = [
  '--files-with-matches',
  '--null',
  '--text',
  '--max-filesize=5M',
  '--line-regexp',
  '--invert-match',
  `--iglob=!*.{${binaries}}`,
  '--regexp=[^\\x00]*',
];

/** Limits, since guessing an encoding takes about 10 ms per file. Other files are searched as ASCII. */
const most = { files: 1000, bytes: 64 * 1024 * 1024 };
/** Files are read in parallel to hide latency. */
const batch = 16;

interface DecodedFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the files that are text. */
export async function decodeFiles(
  paths: readonly string[],
  decode: DecodeFile,
  signal: AbortSignal,
): Promise<readonly DecodedFile[]> {
  const decoded: DecodedFile[] = [];
  let bytes = 0;
  for (let at = 0; at < paths.length && decoded.length < most.files && bytes < most.bytes; at += batch) {
    signal.throwIfAborted();
    const some = await Promise.all(paths.slice(at, at + batch).map(path => decodeFile(path, decode)));
    for (const file of some) {
      if (!file) continue;
      decoded.push(file);
      bytes += file.text.length;
    }
  }
  return decoded;
}

async function decodeFile(path: string, decode: DecodeFile): Promise<DecodedFile | undefined> {
  try {
    const file = await decode(path, await readFile(path));
    return file && { path, text: file.text };
  } catch {
    // The file is gone or unreadable; keep the others.
    return undefined;
  }
}

/** Joins texts, and maps line numbers back to their files. */
export class JoinedTexts {
  private readonly files: readonly DecodedFile[];
  /** Number of each file's first line in the joined text, from 1. */
  private readonly starts: readonly number[];
  private current = -1;

  constructor(files: readonly DecodedFile[]) {
    this.files = files;
    let next = 1;
    this.starts = files.map(({ text }) => {
      const start = next;
      next += text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      return start;
    });
  }

  *chunks(): Generator<string> {
    for (const { text } of this.files) yield text.endsWith('\n') ? text : `${text}\n`;
  }

  /** Maps a line of the joined text. Call with ascending numbers. */
  locate(line: number): { readonly number: number; readonly path: string; readonly isNewFile: boolean } {
    const before = this.current;
    while ((this.starts[this.current + 1] ?? Number.POSITIVE_INFINITY) <= line) this.current++;
    const { path } = this.files[this.current]!;
    return { path, number: line - this.starts[this.current]! + 1, isNewFile: before !== this.current };
  }
}
