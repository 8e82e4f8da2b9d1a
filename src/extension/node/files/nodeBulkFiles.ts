/*
 * With tens of thousands of files, promises take most of the time. Reads them synchronously, for a few milliseconds at
 * a time. Compresses blocks of many files, since small files of one folder are similar.
 */

import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { once } from '../../base/once.ts';
import type { BulkFiles, CompressedContent, FileStat } from '../../platform/fileSystem.ts';

/** Milliseconds of work before yielding to other tasks. */
const maxStretch = 4;
/** Reading one file decompresses its whole block. */
const blockBytes = 32 * 1024;

/** Loaded only when a folder is indexed. */
const loadZlib = once(() => import('node:zlib'));

export class NodeBulkFiles implements BulkFiles {
  async statAll(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, FileStat>> {
    const found = new Map<string, FileStat>();
    await inStretches(paths, signal, path => {
      const stat = statOf(path);
      if (stat) found.set(path, stat);
    });
    return found;
  }

  async readAll(
    paths: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const contents = new Map<string, Uint8Array>();
    await inStretches(paths, signal, path => {
      const bytes = contentOf(path, limit);
      if (bytes) contents.set(path, bytes);
    });
    return contents;
  }

  async compressAll(contents: readonly Uint8Array[]): Promise<readonly CompressedContent[]> {
    // In parallel, because each thread switch waits for the current work.
    const kept = await Promise.all([...inBlocks(contents)].map(keepBlock));
    return kept.flat();
  }
}

async function keepBlock(contents: readonly Uint8Array[]): Promise<readonly CompressedContent[]> {
  const block = await packBlock(contents);
  let start = 0;
  return contents.map(bytes => {
    start += bytes.length;
    return new BlockPart(block, start - bytes.length, bytes);
  });
}

interface Block {
  readonly packed: Uint8Array;
  /** Omitted if compression would not reduce the size. */
  readonly inflate?: (packed: Uint8Array) => Uint8Array;
  /** Uncompressed bytes. */
  readonly length: number;
}

class BlockPart implements CompressedContent {
  readonly hash: string;
  private readonly block: Block;
  private readonly start: number;
  private readonly length: number;

  constructor(block: Block, start: number, bytes: Uint8Array) {
    this.hash = hash('sha256', bytes, 'base64');
    this.block = block;
    this.start = start;
    this.length = bytes.length;
  }

  get size(): number {
    const { packed, length } = this.block;
    return length === 0 ? 0 : Math.ceil((packed.length * this.length) / length);
  }

  read(): Uint8Array {
    const { packed, inflate } = this.block;
    return (inflate?.(packed) ?? packed).subarray(this.start, this.start + this.length);
  }
}

async function packBlock(contents: readonly Uint8Array[]): Promise<Block> {
  const all = Buffer.concat(contents);
  const { deflateRaw, inflateRawSync } = await loadZlib();
  const deflated = await promisify(deflateRaw)(all, { level: 3 });
  const isDeflated = deflated.length < all.length;
  // Copies, because both may be views of a larger buffer that would stay in memory.
  const packed = new Uint8Array(isDeflated ? deflated : all);
  return { packed, inflate: isDeflated ? inflateRawSync : undefined, length: all.length };
}

function* inBlocks(contents: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  let block: Uint8Array[] = [];
  let length = 0;
  for (const bytes of contents) {
    block.push(bytes);
    length += bytes.length;
    if (length < blockBytes) continue;
    yield block;
    block = [];
    length = 0;
  }
  if (block.length > 0) yield block;
}

async function inStretches(
  paths: readonly string[],
  signal: AbortSignal,
  scan: (path: string) => void,
): Promise<void> {
  let start = performance.now();
  for (const path of paths) {
    if (performance.now() - start > maxStretch) {
      await new Promise<void>(resolve => setImmediate(resolve));
      start = performance.now();
    }
    signal.throwIfAborted();
    scan(path);
  }
}

/** Returns `undefined` if the file is missing or cannot be checked. */
function statOf(path: string): FileStat | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
    const hasMode = kind === 'file' && process.platform !== 'win32';
    const executable = hasMode ? (found.mode & 0o100) !== 0 : undefined;
    return { kind, size: found.size, modifiedAt: found.mtimeMs, executable };
  } catch {
    // The system denies the check, so nothing is known about the file.
    return undefined;
  }
}

function contentOf(path: string, limit: number): Uint8Array | undefined {
  const stat = statOf(path);
  // Reading a pipe or a device may never end.
  if (stat?.kind !== 'file' || stat.size > limit) return undefined;
  try {
    return readFileSync(path);
  } catch {
    // The file may be gone or unreadable.
    return undefined;
  }
}
