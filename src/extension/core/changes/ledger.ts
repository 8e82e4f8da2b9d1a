/*
 * Keeps track of the agent's changes that wait for review, in all files of a session. Code that learns of a new text
 * calls `follow`; the agent's own writes go through `agentWrote`. The picture of each file is pure logic
 * (review/fileReview.ts); this class connects it with files, blobs and the journal.
 */

import type { ReviewedFile } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import type { Writer } from '../../../protocol/values.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileSystem, plainText, type TextFormat } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { findNewFault } from '../../review/cellHunks.ts';
import {
  acceptChanges,
  agentSetsMode,
  bringBackChange,
  isDecided,
  personLeftMode,
  rejectChanges,
  withoutRejected,
} from '../../review/fileMode.ts';
import { agentWrites, changesTo, type LineChange, presentText } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import { acceptRemembered, recall, recalledOr, remember } from '../../review/reviewMemory.ts';
import { findOrFollow, otherText, typedText } from '../../review/typedText.ts';
import {
  asWhole,
  personLeft,
  readUnit,
  settled,
  type WholeChange,
  writeUnit,
} from '../../review/wholeFile.ts';
import type { Bystander } from './bystanders.ts';
import { readReview, recordReview } from './describeReview.ts';
import { HeldFiles } from './heldFiles.ts';
import { isSameFormat } from './restoreFile.ts';
import {
  beginLeft,
  beginOrRecall,
  type Entry,
  findHunks,
  isTakenAway,
  type ReviewPlace,
  type ReviewTrouble,
  touchedTrouble,
} from './reviewPlace.ts';
import { holdsUnsaved, readOwnText, readWhole, writeReview } from './wholeFiles.ts';

interface LedgerPorts {
  /** Writes through it are checkpointed. */
  readonly files: Omit<FileSystem, 'list' | 'readSaved'>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly log: Log;
  /** A path as the panel shows it. */
  readonly show: (path: string) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
  /** The other sessions of the window; absent: there are none. */
  readonly bystanders?: Pick<Bystander, 'otherAt'>;
}

/** Milliseconds without typing until it is recorded. */
const typingPauseMs = 1500;

export class ReviewLedger {
  private readonly around: LedgerPorts;
  private readonly entries = new Map<string, Entry>();
  /** Files in which nothing waits any more, but in which an undo or redo may bring something back. */
  private readonly resting = new Map<string, Entry>();
  private readonly changed = new Emitter<string>();
  private deciding: Promise<unknown> = Promise.resolve();
  private readonly held = new HeldFiles();

  /** The path whose review is different now. */
  readonly onDidChange = this.changed.event;
  /** Folio is writing this file. */
  readonly isHeld = this.held.has;

  constructor(around: LedgerPorts) {
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
  hold(path: string, write: () => Promise<void>): Promise<void> {
    return this.held.hold(path, write);
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
    const known = this.entries.get(path);
    const base = known?.review.by === 'file' ? readUnit(known.review.base[0]) : undefined;
    // Hunks of lines know one format, that of the file: a text of another one stays a whole.
    if (base && !('text' in base && isSameFormat(base.format, format))) {
      const earlier = before === null ? null : { text: before, format };
      this.agentLeft(path, { before: earlier, after: { text: after, format } }, chapterId, writer);
      return;
    }
    const entry = known ?? this.add(path, beginOrRecall(path, before, this.resting.get(path)), format);
    // A text again: what waited as a whole waits in single hunks from now on.
    const left = base === undefined ? undefined : readUnit(known?.review.present[0]);
    if (base !== undefined) {
      const begun = beginOrRecall(path, base ? base.text : null, undefined);
      // A file that is written anew is not executable, one that was there may have become so.
      entry.review = agentSetsMode(begun, base?.executable, left?.executable === true, chapterId, writer);
      // The text that waited as a whole is the agent's, too.
      if (left && 'text' in left)
        entry.review = agentWrites(entry.review, changesTo(entry.review, left.text), chapterId, writer);
    }
    const followed = before === null ? entry.review : findOrFollow(entry.review, entry.memory, before);
    const next = agentWrites(followed, changesTo(followed, after), chapterId, writer);
    entry.format = format;
    entry.memory = remember(entry.memory, followed, next);
    this.set(path, entry, next, 'now');
  }

  /** The agent made a file executable, or took that away. Tell of its text first. */
  agentSetMode(
    path: string,
    modes: { readonly before: boolean | undefined; readonly after: boolean },
    chapterId: string,
    writer?: Writer,
  ): void {
    const entry = this.entries.get(path) ?? this.resting.get(path);
    const next = entry && agentSetsMode(entry.review, modes.before, modes.after, chapterId, writer);
    if (next && next !== entry.review) this.wake(path, entry, next);
  }

  /** A file was deleted, or what was left is no text, or none like before: that is decided on as a whole. */
  agentLeft(path: string, change: WholeChange, chapterId: string, writer?: Writer): void {
    const known = this.entries.get(path);
    const begun = known
      ? asWhole(known.review, known.format, change.before?.executable)
      : beginLeft(path, change.before, this.resting.get(path));
    const entry = known ?? this.add(path, begun, plainText);
    const followed = personLeft(begun, writeUnit(change.before));
    const next = agentWrites(followed, changesTo(followed, writeUnit(change.after)), chapterId, writer);
    entry.memory = [];
    this.set(path, entry, settled(next), 'now');
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
    if (entry.review.by === 'file') {
      this.catchUp(path).catch(error => this.around.log.error(`${path} could not be followed`, error));
      return;
    }
    if (text === null) {
      // A command may have deleted it, which is found out when the command ends.
      if (!isTakenAway(entry.review)) this.drop(path, 'rest');
      return;
    }
    if (presentText(entry.review) === text) return;
    const other = this.around.bystanders?.otherAt(path, changes ? 'typed' : 'found');
    if (other) {
      if (this.entries.has(path)) this.set(path, entry, otherText(entry.review, text, other), 'now');
      return;
    }
    const known = recall(entry.memory, text, entry.review);
    if (this.entries.has(path)) {
      this.set(path, entry, recalledOr(typedText(entry.review, text, changes), known), 'afterPause');
    } else if (known && !isDecided(known)) {
      this.wake(path, entry, known);
    }
  }

  /** The file is under another name now. */
  rename(from: string, to: string): void {
    const entry = this.entries.get(from);
    if (!entry) return;
    this.drop(from, 'forget');
    this.wake(to, entry, entry.review);
  }

  accept(place: ReviewPlace): void {
    for (const [path, entry, hunks] of findHunks(this.entries, place)) {
      const ids = hunks.map(({ id }) => id);
      entry.memory = acceptRemembered(entry.memory, ids);
      this.set(path, entry, acceptChanges(entry.review, ids), 'now');
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
      const next = entry && bringBackChange(entry.review, hunkId);
      return next ? this.write(path, entry, next) : [];
    });
  }

  /** Takes up what waits by the journal, after a resume. No undo reaches back to what was rejected before it. */
  async restore(reviews: readonly ReviewedFile[]): Promise<void> {
    for (const described of reviews) {
      const { path } = described;
      const known = await readReview(described, this.around.blobs);
      const review = known && withoutRejected(known);
      if (!review || isDecided(review)) {
        if (!review) this.around.log.warn(`The review of ${path} is no longer kept.`);
        this.around.emit({ type: 'review.changed', path });
        continue;
      }
      const begun = { review, format: plainText, memory: [review], recorded: known };
      const entry: Entry = { ...begun, recording: Promise.resolve() };
      this.entries.set(path, entry);
      this.record(path, entry);
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
    for (const path of new Set(findHunks(this.entries, place).map(([each]) => each))) {
      await this.catchUp(path);
      for (const [, entry, hunks] of findHunks(this.entries, { ...place, path })) {
        const isLeft = (hunk: Hunk) => hunk.touched && touched === 'keepTouched';
        const left = hunks.filter(isLeft);
        if (left.length > 0) troubles.push(touchedTrouble(path, left));
        const ids = hunks.filter(hunk => !isLeft(hunk)).map(({ id }) => id);
        troubles.push(...(await this.write(path, entry, rejectChanges(entry.review, ids))));
      }
    }
    return troubles;
  }

  /** Two decisions that write would meet each other half done. */
  private inOrder<T>(decide: () => Promise<T>): Promise<T> {
    const result = this.deciding.then(decide);
    // The caller who decided hears of a failure; the next decision goes ahead all the same.
    this.deciding = result.catch(() => undefined);
    return result;
  }

  private add(path: string, review: FileReview, format: TextFormat): Entry {
    const { memory = [] } = this.resting.get(path) ?? {};
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
      if (known.by === 'file') {
        const unit = await readWhole(this.around.files, path);
        if (entry.review !== known || presentText(known) === unit || !this.entries.has(path)) return;
        this.set(path, entry, personLeft(known, unit), 'now');
        return;
      }
      const { text, format } = await readOwnText(this.around.files, path);
      const stat = known.mode && (await this.around.files.stat(path));
      // Somebody has told of a newer text while this one was read.
      if (entry.review !== known) return;
      entry.format = format;
      const next = personLeftMode(known, stat?.executable);
      if (next !== known) this.set(path, entry, next, 'now');
      this.follow(path, text);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.kind === 'notFound' || error.kind === 'changed') this.follow(path, null);
      else this.around.log.warn(`${path} could not be read for its review: ${error.message}`);
    }
  }

  private async write(path: string, entry: Entry, next: FileReview): Promise<readonly ReviewTrouble[]> {
    const before = entry.review;
    if (next === before) return [];
    const fault = findNewFault(before, next);
    if (fault !== undefined) return [{ path, kind: 'failed', hunkIds: [], message: fault }];
    // A watcher of the file then finds a picture that already knows the text.
    entry.review = next;
    try {
      entry.memory = remember(entry.memory, before, next);
      const { files, blobs } = this.around;
      await this.hold(path, () => writeReview(files, blobs, path, { before, next, format: entry.format }));
      if (this.entries.get(path) === entry) this.set(path, entry, entry.review, 'now');
      // Somebody may have typed meanwhile, and a formatter may have been at work while the file was saved.
      await this.catchUp(path);
      return [];
    } catch (error) {
      // An editor may hold unsaved what was to be written: then the decision is carried out there.
      const isThere = entry.review === next && (await holdsUnsaved(this.around.files, path, next));
      if (entry.review === next) this.set(path, entry, isThere ? next : before, 'now');
      const message = `${await this.around.show(path)} was not written: ${messageOf(error)}`;
      return [{ path, kind: 'failed', hunkIds: [], message }];
    }
  }

  private set(path: string, entry: Entry, review: FileReview, record: 'now' | 'afterPause'): void {
    entry.review = review;
    if (isDecided(review)) {
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
    const isKnown = () => this.entries.get(path) === entry;
    entry.recording = entry.recording.then(() => recordReview(path, entry, isKnown, this.around));
  }

  /** Something waits again in a file, or in one of a new name. */
  private wake(path: string, entry: Entry, review: FileReview): void {
    const present = this.entries.get(path) ?? { ...entry, recorded: undefined };
    this.resting.delete(path);
    this.entries.set(path, present);
    this.set(path, present, review, 'now');
  }
}
