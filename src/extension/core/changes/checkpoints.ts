/*
 * Keeps what is needed to put touched files back. Before a write it keeps the file's bytes, once in a turn and
 * chapter, and again when somebody else has written meanwhile; after each write it keeps the new bytes too. Both are
 * facts in the journal, so going back to a place in the journal means, for each file written behind it:
 *
 *     seq:   … P ……… checkpoint a ─► written b ……… checkpoint c ─► written d ……… now e
 *                    └─ put this back          └── the user ──┘            └── and here
 *
 * Where Folio found other bytes than it had left, or finds others now, the user wrote in between.
 */

import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Writer } from '../../../protocol/values.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { blobIdOf, type FileContent, nameOf, sameMode } from './bytes.ts';

interface CheckpointPorts {
  readonly files: Pick<FileSystem, 'stat' | 'readBytes' | 'readLink'>;
  readonly blobs: BlobStore;
  readonly emit: (event: SessionEventBody) => void;
  /** Resolves when everything emitted so far is in the journal, so that no write comes before its checkpoint. */
  readonly recorded: () => Promise<void>;
}

/** A session is named only in the review of another one. */
export type FileWriter = Exclude<Writer, { readonly kind: 'session' }>;

/** Files larger than this are not kept, bytes. */
export const checkpointFileLimit = 50 * 1024 * 1024;

/** One file as it was at some place of the journal, and as Folio left it. */
export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** Changes by others between Folio's writes, oldest first. */
  readonly edits: readonly ForeignEdit[];
  /** False when an interruption hides whether Folio wrote or the user. */
  readonly isCertain: boolean;
}

/** Folio left one content and found another. */
export interface ForeignEdit {
  readonly left: PathState;
  readonly found: PathState;
}

/** A path led to this at one time: a file with its mode, a link, or nothing. */
export interface PathState extends Pick<FileContent, 'executable'> {
  /** A blob, or a link by `nameOf`; `null`: nothing stood there. */
  readonly name: string | null;
}

type Fact = { readonly path: string; readonly seq: number; readonly kept: PathState } & (
  | { readonly kind: 'kept' }
  | {
      readonly kind: 'written';
      readonly by: SessionEventBody<'file.written'>['by'];
      readonly callId: string | undefined;
    }
);

export class Checkpoints {
  private readonly around: CheckpointPorts;
  private readonly facts: Fact[] = [];
  /** The newest fact of each path. */
  private readonly newest = new Map<string, Fact>();
  /** Paths that were kept since the last turn or chapter began. */
  private kept = new Set<string>();
  /** The newest work on each path that somebody writes now. */
  private readonly working = new Map<string, Promise<unknown>>();

  constructor(around: CheckpointPorts) {
    this.around = around;
  }

  /** Folds the session's events, its own among them. */
  fold(event: SessionEvent): void {
    if (event.type === 'checkpoint.taken') this.add(keptFact(event, event.seq));
    else if (event.type === 'file.written') this.add(writtenFact(event, event.seq));
    else if (isPlace(event.type)) this.beginPlace();
  }

  /** From here on every file is kept again. */
  beginPlace(): void {
    this.kept = new Set();
  }

  /** Call before a write. */
  async keep(path: string): Promise<FileContent> {
    const content = await this.read(path);
    if (content.bytes && content.bytes.length > checkpointFileLimit) {
      throw new FileError('other', path, () =>
        t('{0} is too large to save a copy, so it was not changed.', path),
      );
    }
    await this.keepContent(path, content);
    await this.around.recorded();
    return content;
  }

  /** Like `keep`, for what no longer stands there, so that nothing waits for the journal. */
  async keepContent(path: string, content: FileContent): Promise<void> {
    const newest = this.newest.get(path);
    if (this.kept.has(path) && newest && isSamePathState(newest.kept, pathStateOf(content))) return;
    const before = content.bytes ? await this.around.blobs.put(content.bytes) : nameOf(content);
    this.kept.add(path);
    this.around.emit({ type: 'checkpoint.taken', path, before, executable: content.executable });
  }

  /** Call after a write. The write is done, so what cannot be kept of it is at least named. */
  async wrote(path: string, writer: FileWriter | undefined): Promise<FileContent> {
    const content = await this.read(path);
    await this.wroteContent(path, content, writer);
    return content;
  }

  /** Like `wrote`, for what an editor may hold otherwise, or somebody has changed since. */
  async wroteContent(path: string, content: FileContent, writer: FileWriter | undefined): Promise<void> {
    const { bytes, executable } = content;
    const isKept = bytes !== null && bytes.length <= checkpointFileLimit;
    const after = isKept ? await this.around.blobs.put(bytes).catch(() => blobIdOf(bytes)) : nameOf(content);
    const by = writer?.kind === 'person' ? writer.decision : (writer?.kind ?? 'unknown');
    this.around.emit({ type: 'file.written', path, after, executable, by, writer });
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
   * before it was interrupted, or the user since, cannot be said, and the journal shall not claim either.
   */
  async closeOpen(): Promise<void> {
    for (const { kind, path, kept } of [...this.newest.values()]) {
      if (kind !== 'kept') continue;
      // A folder in its place, or a file that nobody may read, cannot be put back either; a rewind will say so.
      const content = await this.read(path).catch(() => undefined);
      if (content && !isSamePathState(pathStateOf(content), kept)) await this.wrote(path, undefined);
    }
  }

  /** The files written behind one place in the journal and not behind another, each once. */
  writtenBetween(from: number, to = Number.POSITIVE_INFINITY): readonly WrittenFile[] {
    const files = new Map<string, WrittenFile>();
    for (const fact of this.facts) {
      if (fact.seq <= from || fact.seq > to) continue;
      const file = files.get(fact.path);
      if (file) files.set(fact.path, withFact(file, fact));
      else if (fact.kind === 'kept') files.set(fact.path, beginFile(fact.path, fact.kept));
    }
    return [...files.values()];
  }

  /** The files that these calls wrote, as they were before. What everybody else wrote since is a change by others. */
  writtenBy(callIds: ReadonlySet<string>): readonly WrittenFile[] {
    const files = new Map<string, WrittenFile>();
    const before = new Map<string, PathState>();
    for (const fact of this.facts) {
      const { path, kept } = fact;
      const isOwn = fact.kind === 'written' && fact.callId !== undefined && callIds.has(fact.callId);
      const file =
        files.get(path) ?? (isOwn ? beginFile(path, before.get(path) ?? { name: null }) : undefined);
      if (file) files.set(path, isOwn ? withFact(file, fact) : withFound(file, kept));
      before.set(path, kept);
    }
    return [...files.values()];
  }

  /** Facts so far: a place to look back to. */
  get count(): number {
    return this.facts.length;
  }

  /** Files written since there were so many facts. */
  writtenSince(count: number): ReadonlySet<string> {
    return new Set(this.facts.slice(count).flatMap(({ kind, path }) => (kind === 'written' ? [path] : [])));
  }

  /**
   * The newest write of a file since there were so many facts: what it left, and the number of facts with it;
   * `undefined`: nobody wrote it.
   */
  leftSince(count: number, path: string): { readonly kept: PathState; readonly count: number } | undefined {
    const isWrite = (fact: Fact, at: number) => at >= count && fact.kind === 'written' && fact.path === path;
    const at = this.facts.findLastIndex(isWrite);
    return at < 0 ? undefined : { kept: this.facts[at]!.kept, count: at + 1 };
  }

  /** Files that Folio has written in this session. */
  get paths(): readonly string[] {
    return [...this.newest.keys()];
  }

  private add(fact: Fact): void {
    this.facts.push(fact);
    this.newest.set(fact.path, fact);
  }

  private async read(path: string): Promise<FileContent> {
    const { files } = this.around;
    const link = await files.readLink(path);
    if (link !== undefined) return { bytes: null, link };
    const stat = await files.stat(path);
    if (!stat) return { bytes: null };
    if (stat.kind !== 'file') throw new FileError('isDirectory', path, () => t('{0} is not a file.', path));
    return { bytes: await files.readBytes(path), executable: stat.executable };
  }
}

function keptFact(event: SessionEventBody<'checkpoint.taken'>, seq: number): Fact {
  const { path, before: name, executable } = event;
  return { kind: 'kept', path, seq, kept: { name, executable } };
}

function writtenFact(event: SessionEventBody<'file.written'>, seq: number): Fact {
  const { path, after: name, executable, by, writer } = event;
  const callId = writer && 'callId' in writer ? writer.callId : undefined;
  return { kind: 'written', path, seq, kept: { name, executable }, by, callId };
}

function pathStateOf(content: FileContent): PathState {
  return { name: nameOf(content), executable: content.executable };
}

function isSamePathState(one: PathState, other: PathState): boolean {
  return one.name === other.name && sameMode(one, other);
}

function beginFile(path: string, before: PathState): WrittenFile {
  return { path, before, after: before, edits: [], isCertain: true };
}

function withFact(file: WrittenFile, fact: Fact): WrittenFile {
  if (fact.kind === 'written') {
    return { ...file, after: fact.kept, isCertain: file.isCertain && fact.by !== 'unknown' };
  }
  return withFound(file, fact.kept);
}

function withFound(file: WrittenFile, found: PathState): WrittenFile {
  if (isSamePathState(found, file.after)) return file;
  return { ...file, after: found, edits: [...file.edits, { left: file.after, found }] };
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
