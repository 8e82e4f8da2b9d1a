/*
 * What of the agent's writing waits for a person, in all files of a session. Whoever learns that a file holds
 * another text tells `follow`; the agent's own writes go through `agentWrote`. The picture of each file is pure
 * logic (review/fileReview.ts); here it meets files, blobs and the journal.
 */

import type { ReviewedFile, Writer } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileSystem, plainText, type TextFormat } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import { findNewFault } from '../../review/cellHunks.ts';
import {
  acceptHunks,
  agentWrites,
  beginReview,
  bringBackHunk,
  changesTo,
  type FileReview,
  type Hunk,
  type LineChange,
  pendingHunks,
  presentText,
  rejectHunks,
} from '../../review/fileReview.ts';
import { acceptRemembered, type ReviewMemory, recall, remember } from '../../review/reviewMemory.ts';
import { findOrFollow, typedText } from '../../review/typedText.ts';
import { unitsOf } from '../../review/units.ts';
import { describeReview, readReview } from './describeReview.ts';

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
  /** In these files alone, and there only what the journal was told of: what was shown. */
  readonly paths?: readonly string[];
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
  /** What undo and redo may bring back. */
  memory: ReviewMemory;
  /** The newest state that is in the journal. */
  recorded: FileReview | undefined;
  recording: Promise<void>;
}

/** How long typing must pause before it is recorded, milliseconds. */
const typingPauseMs = 1500;

export class ReviewLedger {
  private readonly around: LedgerSurroundings;
  private readonly entries = new Map<string, Entry>();
  /** Files in which nothing waits any more, but in which an undo or redo may bring something back. */
  private readonly resting = new Map<string, Entry>();
  private readonly changed = new Emitter<string>();
  private deciding: Promise<unknown> = Promise.resolve();
  /** Being written by Folio: an editor tells of it as of typing. */
  private readonly held = new Map<string, number>();

  /** The path whose review is different now. */
  readonly onDidChange = this.changed.event;
  /** Folio is writing this file. */
  readonly isHeld = (path: string): boolean => this.held.has(path);

  constructor(around: LedgerSurroundings) {
    this.around = around;
  }

  get paths(): readonly string[] {
    return [...this.entries.keys()];
  }

  review(path: string): FileReview | undefined {
    return this.entries.get(path)?.review;
  }

  /** It is of use to tell what this file holds. */
  knows(path: string): boolean {
    return this.entries.has(path) || this.resting.has(path);
  }

  /** Nobody is heard about this file meanwhile; tell what it holds afterwards. */
  async hold(path: string, write: () => Promise<void>): Promise<void> {
    this.held.set(path, (this.held.get(path) ?? 0) + 1);
    try {
      await write();
    } finally {
      const left = (this.held.get(path) ?? 1) - 1;
      if (left > 0) this.held.set(path, left);
      else this.held.delete(path);
    }
  }

  /** The agent wrote a text that nobody has looked at. */
  agentWrote(
    path: string,
    before: string | null,
    after: string,
    format: TextFormat,
    chapterId: string,
    writer?: Writer,
  ): void {
    const entry = this.entries.get(path) ?? this.add(path, this.beginOrRecall(path, before), format);
    const followed = before === null ? entry.review : findOrFollow(entry.review, entry.memory, before);
    const next = agentWrites(followed, changesTo(followed, after), chapterId, writer);
    entry.format = format;
    entry.memory = remember(entry.memory, followed, next);
    this.set(path, entry, next, 'now');
  }

  /** A command begins: what an editor tells of while it runs may turn out to be the command's. */
  rememberAll(): void {
    for (const entry of this.entries.values()) entry.memory = remember(entry.memory, entry.review);
  }

  /**
   * The file holds this text now, whoever wrote it; `null`: it is gone.
   * @param changes the very places that were typed at, where they are known: a diff may guess others. Each in the
   *   text that the one before it left
   */
  follow(path: string, text: string | null, changes?: readonly LineChange[]): void {
    const entry = this.entries.get(path) ?? this.resting.get(path);
    if (!entry || this.held.has(path)) return;
    if (text === null) {
      if (!isTakenAway(entry.review)) this.drop(path, 'forget');
      return;
    }
    if (presentText(entry.review) === text) return;
    const known = recall(entry.memory, text, entry.review.nextId);
    if (this.entries.has(path)) {
      this.set(path, entry, known ?? typedText(entry.review, text, changes), 'afterPause');
    } else if (known && known.hunks.length > 0) {
      this.resting.delete(path);
      this.entries.set(path, { ...entry, recorded: undefined });
      this.set(path, this.entries.get(path)!, known, 'now');
    }
  }

  /** The file is under another name now. */
  rename(from: string, to: string): void {
    const entry = this.entries.get(from);
    if (!entry) return;
    this.drop(from, 'forget');
    this.entries.set(to, { ...entry, recorded: undefined });
    this.set(to, this.entries.get(to)!, entry.review, 'now');
  }

  /** Writes nothing. */
  accept(place: ReviewPlace): void {
    for (const [path, entry, hunks] of this.find(place)) {
      const ids = hunks.map(({ id }) => id);
      entry.memory = acceptRemembered(entry.memory, ids);
      this.set(path, entry, acceptHunks(entry.review, ids), 'now');
    }
  }

  /** Takes hunks back in their files. `evenTouched`: also what the person wrote into them. */
  reject(
    place: ReviewPlace,
    touched: 'keepTouched' | 'evenTouched' = 'keepTouched',
  ): Promise<readonly ReviewTrouble[]> {
    return this.inOrder(() => this.rejectNow(place, touched));
  }

  /** Writes a rejected hunk's lines again. */
  bringBack(path: string, hunkId: number): Promise<readonly ReviewTrouble[]> {
    return this.inOrder(async () => {
      await this.catchUp(path);
      const entry = this.entries.get(path);
      const next = entry && bringBackHunk(entry.review, hunkId);
      return next ? this.write(path, entry, next) : [];
    });
  }

  /** Takes up what the journal holds, after a resume. */
  async restore(reviews: readonly ReviewedFile[]): Promise<void> {
    for (const described of reviews) {
      const { path } = described;
      const review = await readReview(described, this.around.blobs);
      if (!review) {
        this.around.log.warn(`The review of ${path} is no longer kept.`);
        this.around.emit({ type: 'review.changed', path });
        continue;
      }
      const recording = Promise.resolve();
      this.entries.set(path, { review, format: plainText, memory: [review], recorded: review, recording });
      await this.catchUp(path);
      this.changed.fire(path);
    }
  }

  /** The file is as it was at another place of the session, but for what the person typed: what waited there waits. */
  async takeUp(path: string, described: ReviewedFile | undefined): Promise<void> {
    const review = described && (await readReview(described, this.around.blobs));
    if (!review) {
      this.drop(path, 'rest');
      return;
    }
    const entry = this.entries.get(path) ?? this.add(path, review, plainText);
    entry.review = review;
    entry.memory = remember(entry.memory, review);
    await this.catchUp(path);
    if (this.entries.get(path) === entry) this.set(path, entry, entry.review, 'now');
  }

  /** Everything is in the journal. */
  async flush(): Promise<void> {
    for (const [path, entry] of this.entries) this.record(path, entry);
    await Promise.all([...this.entries.values()].map(entry => entry.recording));
  }

  private async rejectNow(
    place: ReviewPlace,
    touched: 'keepTouched' | 'evenTouched',
  ): Promise<readonly ReviewTrouble[]> {
    const troubles: ReviewTrouble[] = [];
    for (const path of new Set(this.find(place).map(([each]) => each))) {
      await this.catchUp(path);
      for (const [, entry, hunks] of this.find({ ...place, path })) {
        const isLeft = (hunk: Hunk) => hunk.touched && touched === 'keepTouched';
        const left = hunks.filter(isLeft);
        if (left.length > 0) troubles.push(touchedTrouble(path, left));
        const ids = hunks.filter(hunk => !isLeft(hunk)).map(({ id }) => id);
        const next = rejectHunks(entry.review, ids);
        troubles.push(...(await this.write(path, entry, next)));
      }
    }
    return troubles;
  }

  /** Two decisions that write would meet each other half done. */
  private inOrder<T>(decide: () => Promise<T>): Promise<T> {
    const result = this.deciding.then(decide);
    // Who decided hears of a failure; the next decision must come about all the same.
    this.deciding = result.catch(() => undefined);
    return result;
  }

  /** An editor may have told of a command's text already, as if the person had taken back what waited there. */
  private beginOrRecall(path: string, before: string | null): FileReview {
    const resting = this.resting.get(path);
    const known = resting && before !== null && recall(resting.memory, before, resting.review.nextId);
    return known || beginReview(before, unitsOf(path));
  }

  private add(path: string, review: FileReview, format: TextFormat): Entry {
    const memory = this.resting.get(path)?.memory ?? [];
    const entry: Entry = { review, format, memory, recorded: undefined, recording: Promise.resolve() };
    this.resting.delete(path);
    this.entries.set(path, entry);
    return entry;
  }

  /** Learns what the file holds, in case nobody has told. */
  async catchUp(path: string): Promise<void> {
    const entry = this.entries.get(path) ?? this.resting.get(path);
    if (!entry || this.held.has(path)) return;
    const known = entry.review;
    try {
      const { text, format } = await this.around.files.readText(path);
      // Somebody has told of a newer text while this one was read.
      if (entry.review !== known) return;
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
    const fault = findNewFault(before, next);
    if (fault !== undefined) return [{ path, kind: 'failed', hunkIds: [], message: fault }];
    // Whoever watches the file meets a picture that already knows the text.
    entry.review = next;
    try {
      const text = presentText(next);
      const expected = isTakenAway(before) ? null : presentText(before);
      entry.memory = remember(entry.memory, before, next);
      await this.hold(path, async () => {
        if (isTakenAway(next)) await this.around.files.delete(path);
        else await this.around.files.writeText(path, text, entry.format, expected);
      });
      if (this.entries.get(path) === entry) this.set(path, entry, entry.review, 'now');
      // Somebody may have typed meanwhile, and a formatter may have been at work while the file was saved.
      await this.catchUp(path);
      return [];
    } catch (error) {
      if (entry.review === next) entry.review = before;
      const message = `${await this.around.show(path)} was not written: ${messageOf(error)}`;
      return [{ path, kind: 'failed', hunkIds: [], message }];
    }
  }

  private find(place: ReviewPlace): readonly (readonly [string, Entry, readonly Hunk[]])[] {
    return [...this.entries].flatMap(([path, entry]) => {
      if ((place.path ?? path) !== path || place.paths?.includes(path) === false) return [];
      const hunks = pendingHunks(entry.review).filter(
        hunk =>
          (place.paths === undefined || isTold(entry, hunk)) &&
          (place.hunkId === undefined || hunk.id === place.hunkId) &&
          (place.chapterId === undefined || hunk.chapterIds.includes(place.chapterId)),
      );
      return hunks.length > 0 ? [[path, entry, hunks] as const] : [];
    });
  }

  private set(path: string, entry: Entry, review: FileReview, record: 'now' | 'afterPause'): void {
    entry.review = review;
    if (review.hunks.length === 0) {
      this.drop(path, 'rest');
      return;
    }
    this.changed.fire(path);
    const recordIfNewest = () => {
      if (entry.review === review && this.entries.get(path) === entry) this.record(path, entry);
    };
    if (record === 'now') recordIfNewest();
    else void this.around.clock.sleep(typingPauseMs).then(recordIfNewest);
  }

  private drop(path: string, how: 'rest' | 'forget'): void {
    const entry = this.entries.get(path);
    this.resting.delete(path);
    if (!entry) return;
    this.entries.delete(path);
    if (how === 'rest') this.resting.set(path, entry);
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
        const shown = await this.around.show(path);
        const described = await describeReview(review, path, shown, this.around.blobs);
        if (this.entries.get(path) !== entry) return;
        entry.recorded = review;
        this.around.emit({ type: 'review.changed', path, review: described });
      } catch (error) {
        // The review goes on in memory; only after a reload would it be gone.
        this.around.log.error(`The review of ${path} could not be recorded`, error);
      }
    });
  }
}

/** The agent wrote nothing into it since. */
function isTold({ recorded }: Entry, { id, agentLines }: Hunk): boolean {
  return recorded?.hunks.find(hunk => hunk.id === id)?.agentLines.join('') === agentLines.join('');
}

/** A file that the agent made and of which nothing is left is not there. */
function isTakenAway(review: FileReview): boolean {
  return review.created && review.present.length === 0 && pendingHunks(review).length === 0;
}

function touchedTrouble(path: string, hunks: readonly Hunk[]): ReviewTrouble {
  const message = 'You wrote into this change, so taking it back would take your text too.';
  return { path, kind: 'touched', hunkIds: hunks.map(hunk => hunk.id), message };
}
