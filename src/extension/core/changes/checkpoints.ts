/*
 * What is needed to put touched files back. Before a write the file's bytes are kept, once in a turn and chapter
 * and again when somebody else has written meanwhile; after each write what stands there is kept too. Both are
 * facts in the journal, so going back to a place in the journal means, for each file written behind it:
 *
 *     seq:   … P ……… checkpoint a ─► written b ……… checkpoint c ─► written d ……… now e
 *                    └─ put this back          └── the person ──┘            └── and here
 *
 * Where what Folio left is not what it found, or what stands there now, the person wrote in between.
 */

import type { Writer } from '../../../protocol/changes.ts';
import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import { blobIdOf, type FileBytes } from './bytes.ts';

export interface CheckpointSurroundings {
  readonly files: Pick<FileSystem, 'stat' | 'readBytes'>;
  readonly blobs: BlobStore;
  readonly emit: (event: SessionEventBody) => void;
  /** What was emitted is in the journal, so that no write can come before its checkpoint. */
  readonly recorded: () => Promise<void>;
}

/** Files larger than this are not kept, bytes. */
export const keptFileLimit = 50 * 1024 * 1024;

/** One file as it was at some place of the journal, and as Folio left it. */
export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  /** Blobs; `null`: no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** What others did between writes of Folio, oldest first. */
  readonly edits: readonly ForeignEdit[];
  /** False when an interruption hides whether Folio wrote or the person. */
  readonly isCertain: boolean;
}

/** Folio left one content and found another. */
export interface ForeignEdit {
  /** Blobs; `null`: no file. */
  readonly left: string | null;
  readonly found: string | null;
}

type Fact =
  | { readonly kind: 'kept'; readonly path: string; readonly seq: number; readonly blob: string | null }
  | {
      readonly kind: 'written';
      readonly path: string;
      readonly seq: number;
      readonly blob: string | null;
      readonly by: SessionEventBody<'file.written'>['by'];
    };

export class Checkpoints {
  private readonly around: CheckpointSurroundings;
  private readonly facts: Fact[] = [];
  /** The newest fact of each path. */
  private readonly newest = new Map<string, Fact>();
  /** Paths that were kept since the last turn or chapter began. */
  private kept = new Set<string>();
  /** The newest work on each path that somebody writes now. */
  private readonly working = new Map<string, Promise<unknown>>();

  constructor(around: CheckpointSurroundings) {
    this.around = around;
  }

  /** Folds the session's events, its own among them. */
  fold(event: SessionEvent): void {
    if (event.type === 'checkpoint.taken') this.add(keptFact(event, event.seq));
    else if (event.type === 'file.written') this.add(writtenFact(event, event.seq));
    else if (isPlace(event.type)) this.beginPlace();
  }

  /** From here on every file is kept anew. */
  beginPlace(): void {
    this.kept = new Set();
  }

  /** Call before a write. */
  async keep(path: string): Promise<void> {
    const bytes = await this.read(path);
    if (bytes && bytes.length > keptFileLimit) {
      throw new FileError('other', path, `${path} is too large to be kept, so it is not changed.`);
    }
    await this.keepBytes(path, bytes);
  }

  /** Like `keep`, for bytes that are no longer in the file. */
  async keepBytes(path: string, bytes: FileBytes): Promise<void> {
    if (this.kept.has(path) && this.newest.get(path)?.blob === blobIdOf(bytes)) return;
    const before = bytes && (await this.around.blobs.put(bytes));
    this.kept.add(path);
    this.around.emit({ type: 'checkpoint.taken', path, before });
    await this.around.recorded();
  }

  /** Call after a write. The write is done, so what cannot be kept of it is at least named. */
  async wrote(path: string, writer: Writer | undefined): Promise<void> {
    const bytes = await this.read(path);
    const isKept = bytes !== null && bytes.length <= keptFileLimit;
    const after = isKept ? await this.around.blobs.put(bytes).catch(() => blobIdOf(bytes)) : blobIdOf(bytes);
    const by = writer?.kind === 'person' ? writer.decision : (writer?.kind ?? 'unknown');
    this.around.emit({ type: 'file.written', path, after, by, writer });
  }

  /** One writer at a time is at work on a file, from what it finds there until what it left is recorded. */
  async inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    // A write that failed is told to its own writer.
    const before = this.working.get(path)?.catch(() => {});
    const own = before ? before.then(work) : work();
    this.working.set(path, own);
    try {
      return await own;
    } finally {
      if (this.working.get(path) === own) this.working.delete(path);
    }
  }

  /**
   * Call after a resume. A checkpoint without a write, and a file that is another one now: whether Folio wrote it
   * before it was interrupted, or the person since, cannot be said, and the journal shall not claim either.
   */
  async closeOpen(): Promise<void> {
    for (const { kind, path, blob } of [...this.newest.values()]) {
      if (kind !== 'kept') continue;
      // A folder in its place, or a file that nobody may read, cannot be put back either; a rewind will say so.
      const bytes = await this.read(path).catch(() => undefined);
      if (bytes !== undefined && blobIdOf(bytes) !== blob) await this.wrote(path, undefined);
    }
  }

  /** What was written behind a place in the journal and not behind another one, each file once. */
  writtenBetween(from: number, to = Number.POSITIVE_INFINITY): readonly WrittenFile[] {
    const files = new Map<string, WrittenFile>();
    for (const fact of this.facts) {
      if (fact.seq <= from || fact.seq > to) continue;
      const file = files.get(fact.path);
      if (file) files.set(fact.path, withFact(file, fact));
      else if (fact.kind === 'kept') files.set(fact.path, beginFile(fact.path, fact.blob));
    }
    return [...files.values()];
  }

  /** Facts so far: a place to look back to. */
  get count(): number {
    return this.facts.length;
  }

  /** The blob that the newest write of a file left since there were so many facts; `undefined`: nobody wrote it. */
  leftSince(count: number, path: string): string | null | undefined {
    const isWrite = (fact: Fact) => fact.kind === 'written' && fact.path === path;
    return this.facts.slice(count).findLast(isWrite)?.blob;
  }

  /** Files that Folio has written in this session. */
  get paths(): readonly string[] {
    return [...this.newest.keys()];
  }

  private add(fact: Fact): void {
    this.facts.push(fact);
    this.newest.set(fact.path, fact);
  }

  private async read(path: string): Promise<FileBytes> {
    const { files } = this.around;
    const stat = await files.stat(path);
    if (!stat) return null;
    if (stat.kind !== 'file') throw new FileError('isDirectory', path, `${path} is not a file.`);
    return files.readBytes(path);
  }
}

function keptFact({ path, before }: SessionEventBody<'checkpoint.taken'>, seq: number): Fact {
  return { kind: 'kept', path, seq, blob: before };
}

function writtenFact({ path, after, by }: SessionEventBody<'file.written'>, seq: number): Fact {
  return { kind: 'written', path, seq, blob: after, by };
}

function beginFile(path: string, before: string | null): WrittenFile {
  return { path, before, after: before, edits: [], isCertain: true };
}

function withFact(file: WrittenFile, fact: Fact): WrittenFile {
  if (fact.kind === 'written') {
    return { ...file, after: fact.blob, isCertain: file.isCertain && fact.by !== 'unknown' };
  }
  if (fact.blob === file.after) return file;
  return { ...file, after: fact.blob, edits: [...file.edits, { left: file.after, found: fact.blob }] };
}

/** Events that a rewind can go back to: what is written after them needs a checkpoint of its own. */
function isPlace(type: SessionEvent['type']): boolean {
  return (
    type === 'turn.started' ||
    type === 'chapter.started' ||
    type === 'session.rewound' ||
    type === 'rewind.undone'
  );
}
