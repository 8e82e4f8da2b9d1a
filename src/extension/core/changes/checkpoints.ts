/*
 * What is needed to put touched files back. Before the first write to a file in a turn or chapter its bytes are
 * kept; after each write what stands there is kept too. Both are facts in the journal, so going back to a place in
 * the journal means, for each file written behind it:
 *
 *     seq:   … P ……… checkpoint (before) ……… written ……… written (after) … now
 *                    └─ put this back                     └─ unless the person changed it since
 */

import type { CheckpointTaken, FileWritten } from '../../../protocol/changes.ts';
import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';

export interface CheckpointSurroundings {
  readonly files: Pick<FileSystem, 'stat' | 'readBytes'>;
  readonly blobs: BlobStore;
  readonly emit: (event: SessionEventBody) => void;
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
}

type Fact = Pick<CheckpointTaken | FileWritten, 'type' | 'path'> & {
  readonly seq: number;
  readonly blob: string | null;
};

export class Checkpoints {
  private readonly around: CheckpointSurroundings;
  private readonly facts: Fact[] = [];
  /** Paths that were kept since the last turn or chapter began. */
  private kept = new Map<string, Promise<void>>();

  constructor(around: CheckpointSurroundings) {
    this.around = around;
  }

  /** Folds the session's events, its own among them. */
  fold(event: SessionEvent): void {
    if (event.type === 'checkpoint.taken') {
      this.facts.push({ type: event.type, path: event.path, seq: event.seq, blob: event.before });
    } else if (event.type === 'file.written') {
      this.facts.push({ type: event.type, path: event.path, seq: event.seq, blob: event.after });
    } else if (isPlace(event.type)) {
      this.beginPlace();
    }
  }

  /** From here on every file is kept anew. */
  beginPlace(): void {
    this.kept = new Map();
  }

  /** Call before a write. Nothing happens when the file was kept in this turn and chapter already. */
  keep(path: string): Promise<void> {
    const known = this.kept.get(path);
    if (known) return known;
    const keeping = this.readBlob(path).then(before =>
      this.around.emit({ type: 'checkpoint.taken', path, before }),
    );
    this.kept.set(path, keeping);
    keeping.catch(() => this.kept.delete(path));
    return keeping;
  }

  /** Like `keep`, for bytes that are no longer in the file. */
  async keepBytes(path: string, bytes: Uint8Array | null): Promise<void> {
    if (this.kept.has(path)) return;
    const before = bytes && (await this.around.blobs.put(bytes));
    const taken = Promise.resolve();
    this.kept.set(path, taken);
    this.around.emit({ type: 'checkpoint.taken', path, before });
  }

  /** Call after a write. */
  async wrote(path: string, by: FileWritten['by']): Promise<void> {
    this.around.emit({ type: 'file.written', path, after: await this.readBlob(path), by });
  }

  /** What was written behind a place in the journal, each file once. */
  writtenSince(seq: number): readonly WrittenFile[] {
    const files = new Map<string, WrittenFile>();
    for (const fact of this.facts) {
      if (fact.seq <= seq) continue;
      const known = files.get(fact.path);
      if (fact.type === 'checkpoint.taken' && !known) {
        files.set(fact.path, { path: fact.path, before: fact.blob, after: fact.blob });
      } else if (fact.type === 'file.written' && known) {
        files.set(fact.path, { ...known, after: fact.blob });
      }
    }
    return [...files.values()];
  }

  /** Files that Folio has written in this session. */
  get paths(): readonly string[] {
    return [...new Set(this.facts.map(fact => fact.path))];
  }

  private async readBlob(path: string): Promise<string | null> {
    const stat = await this.around.files.stat(path);
    if (!stat) return null;
    if (stat.kind !== 'file') throw new FileError('isDirectory', path, `${path} is not a file.`);
    if (stat.size > keptFileLimit) {
      throw new FileError('other', path, `${path} is too large to be kept, so it is not changed.`);
    }
    return this.around.blobs.put(await this.around.files.readBytes(path));
  }
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
