/*
 * Stores several blobs in one file, because creating a file is slower than writing to one. A pack starts with a line
 * that lists its content, and never changes:
 *
 *     [["ab12…",5],["cd34…",3]]
 *     helloabc
 */

import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { tryParseJson } from '../../base/record.ts';
import { writeOwnFileAtomically } from '../files/atomicWrite.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { isBlobId, listPacks, packPath } from './blobFolder.ts';

interface Place {
  readonly pack: string;
  readonly start: number;
  readonly length: number;
}

/** Maximum bytes of the first line. */
const maxLineLength = 64 * 1024;

export class BlobPacks {
  private readonly root: string;
  private readonly places = new Map<string, Place>();
  /** Packs whose first line is known, with the ids of their blobs. */
  private readonly packs = new Map<string, readonly string[]>();

  private scanning: Promise<void> | undefined;

  constructor(root: string) {
    this.root = root;
  }

  /** The file that is known to contain the blob. */
  pathOf(id: string): string | undefined {
    const place = this.places.get(id);
    return place && packPath(this.root, place.pack);
  }

  idsIn(pack: string): readonly string[] {
    return this.packs.get(pack) ?? [];
  }

  async write(blobs: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const pack = `${randomBytes(16).toString('hex')}.pack`;
    const sizes = [...blobs].map(([id, bytes]) => [id, bytes.length] as const);
    const line = Buffer.from(`${JSON.stringify(sizes)}\n`);
    const path = packPath(this.root, pack);
    await writeOwnFileAtomically(path, Buffer.concat([line, ...blobs.values()]));
    this.learn(pack, sizes, line.length);
  }

  /** Resolves to `undefined` if no pack contains it. The content may be damaged. */
  async read(id: string): Promise<Buffer | undefined> {
    if (!this.places.has(id)) await this.scanOnce();
    const place = this.places.get(id);
    if (!place) return undefined;
    const bytes = await readPart(packPath(this.root, place.pack), place.start, place.length);
    if (bytes === undefined) this.forget(id);
    return bytes;
  }

  /** Call if its content is damaged or missing. */
  forget(id: string): void {
    this.places.delete(id);
  }

  private scanOnce(): Promise<void> {
    this.scanning ??= this.scan().finally(() => {
      this.scanning = undefined;
    });
    return this.scanning;
  }

  /** Finds packs of other or earlier processes. */
  private async scan(): Promise<void> {
    for (const pack of await listPacks(this.root)) {
      if (this.packs.has(pack)) continue;
      const start = await readPart(packPath(this.root, pack), 0, maxLineLength);
      const end = start?.indexOf('\n') ?? -1;
      const sizes = start && end > 0 ? parseLine(start.subarray(0, end).toString()) : undefined;
      this.learn(pack, sizes ?? [], end + 1);
    }
  }

  private learn(pack: string, sizes: readonly (readonly [string, number])[], begin: number): void {
    let start = begin;
    for (const [id, length] of sizes) {
      this.places.set(id, { pack, start, length });
      start += length;
    }
    this.packs.set(
      pack,
      sizes.map(([id]) => id),
    );
  }
}

/** Returns `undefined` for a foreign or damaged line. */
function parseLine(line: string): readonly (readonly [string, number])[] | undefined {
  const sizes = tryParseJson(line);
  return Array.isArray(sizes) && sizes.every(isSize) ? sizes : undefined;
}

function isSize(value: unknown): value is readonly [string, number] {
  return (
    Array.isArray(value) && isBlobId(String(value[0])) && Number.isSafeInteger(value[1]) && value[1] >= 0
  );
}

/** Reads up to `length` bytes. Resolves to `undefined` if there is no such file. */
async function readPart(path: string, start: number, length: number): Promise<Buffer | undefined> {
  try {
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await handle.read(bytes, 0, length, start);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}
