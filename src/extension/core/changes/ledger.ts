/*
 * What of the agent's writing waits for a person, in all files of a session. Whoever learns that a file holds
 * another text tells `follow`; the agent's own writes go through `agentWrote`. The picture of each file is pure
 * logic (review/fileReview.ts); here it meets files, blobs and the journal.
 */

import type { ReviewedFile } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileSystem, plainText, type TextFormat } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import {
  acceptHunk,
  agentWrites,
  baseText,
  beginReview,
  bringBackHunk,
  changesTo,
  type FileReview,
  type Hunk,
  type LineChange,
  pendingHunks,
  personWrites,
  presentText,
  rejectHunk,
} from '../../review/fileReview.ts';
import { describeReview, reviewOf } from './describeReview.ts';

export interface LedgerSurroundings {
  /** Writes through it are checkpointed. */
  readonly files: Pick<FileSystem, 'readText' | 'writeText' | 'delete'>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly log: Log;
  /** A path as the panel shows it. */
  readonly show: (path: string) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
}

/** Which hunks a decision is about; what is left out stands for all. */
export interface ReviewPlace {
  /** Absolute. */
  readonly path?: string;
  readonly hunkId?: number;
  readonly chapterId?: string;
}

/** What could not be done, and why. */
export interface ReviewTrouble {
  /** Absolute. */
  readonly path: string;
  /** `touched`: the person wrote into the hunk, so taking it back would take that too. */
  readonly kind: 'touched' | 'failed';
  readonly hunkIds: readonly number[];
  readonly message: string;
}

interface Entry {
  review: FileReview;
  format: TextFormat;
  /** The newest state that is in the journal. */
  recorded: FileReview | undefined;
  recording: Promise<void>;
}

/** How long typing must pause before it is recorded, milliseconds. */
const typingPauseMs = 1500;

export class ReviewLedger {
  private readonly around: LedgerSurroundings;
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new Emitter<string>();
  /** Files that Folio is writing: an editor tells of it as if the person had typed. */
  private readonly held = new Set<string>();

  /** The path whose review is different now. */
  readonly onDidChange = this.changed.event;

  constructor(around: LedgerSurroundings) {
    this.around = around;
  }

  get paths(): readonly string[] {
    return [...this.entries.keys()];
  }

  review(path: string): FileReview | undefined {
    return this.entries.get(path)?.review;
  }

  /** Nobody is heard about this file while Folio writes it; tell what it holds afterwards. */
  async hold(path: string, write: () => Promise<void>): Promise<void> {
    this.held.add(path);
    try {
      await write();
    } finally {
      this.held.delete(path);
    }
  }

  /** The agent wrote a text that nobody has looked at. */
  agentWrote(
    path: string,
    before: string | null,
    after: string,
    format: TextFormat,
    chapterId: string,
  ): void {
    const entry = this.entries.get(path) ?? this.add(path, beginReview(before), format);
    const followed = before === null ? entry.review : withText(entry.review, before);
    this.set(path, entry, agentWrites(followed, changesTo(followed, after), chapterId), 'now');
  }

  /**
   * The file holds this text now, whoever wrote it; `null`: it is gone.
   * @param changes the very places that were typed at, where they are known: a diff may guess others
   */
  follow(path: string, text: string | null, changes?: readonly LineChange[]): void {
    const entry = this.entries.get(path);
    if (!entry || this.held.has(path)) return;
    if (text === null) {
      this.drop(path);
    } else if (presentText(entry.review) !== text) {
      const typed = changes && personWrites(entry.review, changes);
      const next = typed && presentText(typed) === text ? typed : withText(entry.review, text);
      this.set(path, entry, next, 'afterPause');
    }
  }

  /** The file is under another name now. */
  rename(from: string, to: string): void {
    const entry = this.entries.get(from);
    if (!entry) return;
    this.drop(from);
    this.entries.set(to, { ...entry, recorded: undefined });
    this.set(to, this.entries.get(to)!, entry.review, 'now');
  }

  /** Writes nothing. */
  accept(place: ReviewPlace): void {
    for (const [path, entry, hunks] of this.find(place)) {
      this.set(
        path,
        entry,
        hunks.reduce((review, { id }) => acceptHunk(review, id), entry.review),
        'now',
      );
    }
  }

  /** Takes hunks back in their files. `evenTouched`: also what the person wrote into them. */
  async reject(
    place: ReviewPlace,
    touched: 'keepTouched' | 'evenTouched' = 'keepTouched',
  ): Promise<readonly ReviewTrouble[]> {
    const troubles: ReviewTrouble[] = [];
    for (const path of new Set(this.find(place).map(([each]) => each))) {
      await this.catchUp(path);
      for (const [, entry, hunks] of this.find({ ...place, path })) {
        const [left, taken] = split(hunks, hunk => hunk.touched && touched === 'keepTouched');
        if (left.length > 0) troubles.push(touchedTrouble(path, left));
        const next = taken.reduce((review, { id }) => rejectHunk(review, id) ?? review, entry.review);
        troubles.push(...(await this.write(path, entry, next)));
      }
    }
    return troubles;
  }

  /** Writes a rejected hunk's lines again. */
  async bringBack(path: string, hunkId: number): Promise<readonly ReviewTrouble[]> {
    await this.catchUp(path);
    const entry = this.entries.get(path);
    const next = entry && bringBackHunk(entry.review, hunkId);
    return next ? this.write(path, entry, next) : [];
  }

  /** Takes up what the journal holds, after a resume. */
  async restore(reviews: readonly ReviewedFile[]): Promise<void> {
    for (const described of reviews) {
      const { path } = described;
      const [base, present] = await Promise.all(
        [described.base, described.present].map(id => this.around.blobs.get(id)),
      );
      if (!base || !present) {
        this.around.log.warn(`The review of ${path} is no longer kept.`);
        this.around.emit({ type: 'review.changed', path });
        continue;
      }
      const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const review = reviewOf(described, text(base), text(present));
      this.entries.set(path, { review, format: plainText, recorded: review, recording: Promise.resolve() });
      await this.catchUp(path);
      this.changed.fire(path);
    }
  }

  /** Everything is in the journal. */
  async flush(): Promise<void> {
    for (const [path, entry] of this.entries) this.record(path, entry);
    await Promise.all([...this.entries.values()].map(entry => entry.recording));
  }

  private add(path: string, review: FileReview, format: TextFormat): Entry {
    const entry = { review, format, recorded: undefined, recording: Promise.resolve() };
    this.entries.set(path, entry);
    return entry;
  }

  /** Learns what the file holds, in case nobody has told. */
  private async catchUp(path: string): Promise<void> {
    const entry = this.entries.get(path);
    if (!entry) return;
    try {
      const { text, format } = await this.around.files.readText(path);
      entry.format = format;
      this.follow(path, text);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.kind === 'notFound') this.follow(path, null);
      else this.around.log.warn(`${path} could not be read for its review: ${error.message}`);
    }
  }

  private async write(path: string, entry: Entry, next: FileReview): Promise<readonly ReviewTrouble[]> {
    const before = entry.review;
    if (next === before) return [];
    // Whoever watches the file meets a picture that already knows the text.
    entry.review = next;
    try {
      const text = presentText(next);
      const isGone = next.created && text === '' && pendingHunks(next).length === 0;
      if (isGone) await this.around.files.delete(path);
      else await this.around.files.writeText(path, text, entry.format, presentText(before));
      this.set(path, entry, next, 'now');
      return [];
    } catch (error) {
      if (entry.review === next) entry.review = before;
      const message = `${await this.around.show(path)} was not written: ${messageOf(error)}`;
      return [{ path, kind: 'failed', hunkIds: [], message }];
    }
  }

  private find(place: ReviewPlace): readonly (readonly [string, Entry, readonly Hunk[]])[] {
    return [...this.entries].flatMap(([path, entry]) => {
      if (place.path !== undefined && place.path !== path) return [];
      const hunks = pendingHunks(entry.review).filter(
        hunk =>
          (place.hunkId === undefined || hunk.id === place.hunkId) &&
          (place.chapterId === undefined || hunk.chapterIds.includes(place.chapterId)),
      );
      return hunks.length > 0 ? [[path, entry, hunks] as const] : [];
    });
  }

  private set(path: string, entry: Entry, review: FileReview, record: 'now' | 'afterPause'): void {
    entry.review = review;
    if (review.hunks.length === 0) {
      this.drop(path);
      return;
    }
    this.changed.fire(path);
    const recordIfNewest = () => {
      if (entry.review === review && this.entries.get(path) === entry) this.record(path, entry);
    };
    if (record === 'now') recordIfNewest();
    else void this.around.clock.sleep(typingPauseMs).then(recordIfNewest);
  }

  private drop(path: string): void {
    const entry = this.entries.get(path);
    if (!entry) return;
    this.entries.delete(path);
    entry.recording = entry.recording.then(() => {
      if (entry.recorded) this.around.emit({ type: 'review.changed', path });
    });
    this.changed.fire(path);
  }

  /** One after the other, so that the journal ends with the newest. */
  private record(path: string, entry: Entry): void {
    entry.recording = entry.recording.then(async () => {
      const { review } = entry;
      if (entry.recorded === review || this.entries.get(path) !== entry) return;
      try {
        const encoder = new TextEncoder();
        const texts = [baseText(review), presentText(review)].map(text =>
          this.around.blobs.put(encoder.encode(text)),
        );
        const [base, present] = await Promise.all(texts);
        const shown = await this.around.show(path);
        if (this.entries.get(path) !== entry) return;
        entry.recorded = review;
        const described = describeReview(review, { path, shown, base: base!, present: present! });
        this.around.emit({ type: 'review.changed', path, review: described });
      } catch (error) {
        // The review goes on in memory; only after a reload would it be gone.
        this.around.log.error(`The review of ${path} could not be recorded`, error);
      }
    });
  }
}

/** How the person, or another program, got from the known text to this one can only be guessed: by a diff. */
function withText(review: FileReview, text: string): FileReview {
  return personWrites(review, changesTo(review, text));
}

function touchedTrouble(path: string, hunks: readonly Hunk[]): ReviewTrouble {
  const message = 'You wrote into this change, so taking it back would take your text too.';
  return { path, kind: 'touched', hunkIds: hunks.map(hunk => hunk.id), message };
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))];
}
