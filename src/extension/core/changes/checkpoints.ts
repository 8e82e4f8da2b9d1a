/*
 * Stores what is needed to restore changed files. Before a write it saves the file's bytes, once per turn and chapter,
 * and again if somebody else wrote meanwhile. After each write it saves the new bytes. Both are events in the journal.
 * To return to place P, each file written later is restored like this:
 *
 *     seq:   … P ……… checkpoint a ─► written b ……… checkpoint c ─► written d ……… now e
 *                    └─ restore this           └── the user ──┘            └── and here
 *
 * If the bytes differ from what Folio left, before a write or now, the user changed them in between.
 */

import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Writer } from '../../../protocol/values.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { blobIdOf, contentId, type FileContent, sameMode } from './bytes.ts';

interface CheckpointPorts {
  readonly files: Pick<FileSystem, 'stat' | 'readBytes' | 'readLink'>;
  readonly blobs: BlobStore;
  readonly emit: (event: SessionEventBody) => void;
  /** Resolves once everything emitted so far is in the journal, so that no write precedes its checkpoint. */
  readonly recorded: () => Promise<void>;
}

/** Writers of this session. Other sessions appear only as writers in reviews. */
export type CurrentSessionWriter = Exclude<Writer, { readonly kind: 'session' }>;

/** Bytes. Larger files are not saved. */
export const checkpointFileLimit = 50 * 1024 * 1024;

/** A file before a place in the journal, and as Folio left it. */
export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** Changes by others between Folio's writes, oldest first. */
  readonly edits: readonly ForeignEdit[];
  /** False if an interruption hides whether Folio or the user wrote. */
  readonly isCertain: boolean;
}

/** A change by others: Folio left one content and found another. */
export interface ForeignEdit {
  readonly left: PathState;
  readonly found: PathState;
}

/** State of a path: a file with its mode, a link, or nothing. */
export interface PathState extends Pick<FileContent, 'executable'> {
  /** A name by `contentId`: a blob or a link; `null`: nothing exists. */
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
  /** The latest event of each path. */
  private readonly newest = new Map<string, Fact>();
  /** Paths saved since the last turn or chapter began. */
  private kept = new Set<string>();
  /** The latest operation on each path that is being written. */
  private readonly working = new Map<string, Promise<unknown>>();

  constructor(around: CheckpointPorts) {
    this.around = around;
  }

  /** Applies an event of the session, including those emitted here. */
  fold(event: SessionEvent): void {
    if (event.type === 'checkpoint.taken') this.add(keptFact(event, event.seq));
    else if (event.type === 'file.written') this.add(writtenFact(event, event.seq));
    else if (isPlace(event.type)) this.beginPlace();
  }

  /** From here on, every file is saved again before a write. */
  beginPlace(): void {
    this.kept = new Set();
  }

  /** Saves a file before a write. */
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

  /** Like `keep`, for content that is no longer on disk, so that the caller need not wait for the journal. */
  async keepContent(path: string, content: FileContent): Promise<void> {
    const newest = this.newest.get(path);
    if (this.kept.has(path) && newest && isSamePathState(newest.kept, pathStateOf(content))) return;
    const before = content.bytes ? await this.around.blobs.put(content.bytes) : contentId(content);
    this.kept.add(path);
    this.around.emit({ type: 'checkpoint.taken', path, before, executable: content.executable });
  }

  /** Records a completed write. Content that cannot be saved is at least named. */
  async wrote(path: string, writer: CurrentSessionWriter | undefined): Promise<FileContent> {
    const content = await this.read(path);
    await this.wroteContent(path, content, writer);
    return content;
  }

  /** Like `wrote`, for content that an editor or another writer may have changed since. */
  async wroteContent(
    path: string,
    content: FileContent,
    writer: CurrentSessionWriter | undefined,
  ): Promise<void> {
    const { bytes, executable } = content;
    const isKept = bytes !== null && bytes.length <= checkpointFileLimit;
    const after = isKept
      ? await this.around.blobs.put(bytes).catch(() => blobIdOf(bytes))
      : contentId(content);
    const by = writer?.kind === 'person' ? writer.decision : (writer?.kind ?? 'unknown');
    this.around.emit({ type: 'file.written', path, after, executable, by, writer });
  }

  /** Runs one writer at a time per file, from reading it until its new content is recorded. */
  async inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    // A failed write is reported to its own writer.
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
   * Closes open checkpoints after a resume. If such a file has changed, Folio may have written it before the
   * interruption, or the user since. The journal then records an unknown writer.
   */
  async closeOpen(): Promise<void> {
    for (const { kind, path, kept } of [...this.newest.values()]) {
      if (kind !== 'kept') continue;
      // A folder in its place, or an unreadable file, cannot be restored; a rewind will report it.
      const content = await this.read(path).catch(() => undefined);
      if (content && !isSamePathState(pathStateOf(content), kept)) await this.wrote(path, undefined);
    }
  }

  /** Returns the files written between two places in the journal, each once. */
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

  /** Returns the files that these calls wrote, with their earlier content. Later writes count as changes by others. */
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

  /** Number of checkpoints and writes so far, which marks a point in time. */
  get count(): number {
    return this.facts.length;
  }

  /** Files written since that number of events. */
  writtenSince(count: number): ReadonlySet<string> {
    return new Set(this.facts.slice(count).flatMap(({ kind, path }) => (kind === 'written' ? [path] : [])));
  }

  /** Returns the latest write of a file since that number of events, with the number after it; `undefined`: none. */
  leftSince(count: number, path: string): { readonly kept: PathState; readonly count: number } | undefined {
    const isWrite = (fact: Fact, at: number) => at >= count && fact.kind === 'written' && fact.path === path;
    const at = this.facts.findLastIndex(isWrite);
    return at < 0 ? undefined : { kept: this.facts[at]!.kept, count: at + 1 };
  }

  /** Files that Folio wrote in this session. */
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
  return { name: contentId(content), executable: content.executable };
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

/** True for events that a rewind can target: writes after them need new checkpoints. */
function isPlace(type: SessionEvent['type']): boolean {
  return (
    type === 'turn.started' ||
    type === 'chapter.started' ||
    type === 'session.rewound' ||
    type === 'rewind.undone'
  );
}
