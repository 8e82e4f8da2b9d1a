/*
 * Tracks the agent's changes that wait for review in all files of a session. Code that learns of a new text calls
 * `follow`; the agent's writes go through `agentWrote`. The review of one file is pure logic (review/fileReview.ts);
 * this class connects it with files, blobs and the journal.
 */

import type { ReviewedFile, ShelvedFile } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Writer } from '../../../protocol/values.ts';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSameFormat } from '../../platform/fileEncodings.ts';
import { FileError, type FileSystem, type TextFormat, utf8Format } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { findNewFault } from '../../review/cellHunks.ts';
import {
  acceptChanges,
  applyAgentMode,
  applyOtherMode,
  bringBackChange,
  isFinished,
  rejectChanges,
  withoutRejected,
} from '../../review/fileMode.ts';
import { applyAgentWrite, changesTo, type LineChange, presentText } from '../../review/fileReview.ts';
import { followOtherWrite, followTyping } from '../../review/followTyping.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import {
  acceptRemembered,
  emptyMemory,
  preferRemembered,
  recallOrDerive,
  recallReview,
  rememberReviews,
  restoreStashed,
  startFreshReviews,
  stashReview,
} from '../../review/reviewMemory.ts';
import {
  applyOutsideChange,
  asWholeFile,
  dropHunksIfUnchanged,
  readUnit,
  type WholeFileChange,
  writeUnit,
} from '../../review/wholeFile.ts';
import type { ConcurrentRunsView } from './concurrentRuns.ts';
import { readReview } from './describeReview.ts';
import { OwnWrites } from './ownWrites.ts';
import { ReviewEntries } from './reviewEntries.ts';
import {
  beginWholeFileReview,
  editedHunksFailure,
  findHunks,
  type HunkSelection,
  isRejectedCreation,
  type LedgerEntry,
  type ReviewFailure,
  startReview,
} from './reviewPlace.ts';
import { readTextUnlessLinked, readWholeFile, writeReviewedFile } from './wholeFiles.ts';

interface LedgerPorts {
  /** Writes through it are checkpointed. */
  readonly files: Omit<FileSystem, 'list' | 'readSaved'>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Formats a path for the panel. */
  readonly show: (path: string) => Promise<string>;
  readonly emit: (event: SessionEventBody) => void;
  /** Other sessions of the window; absent: none. */
  readonly concurrentRuns?: Pick<ConcurrentRunsView, 'otherAt'>;
}

export class ReviewLedger {
  private readonly around: LedgerPorts;
  private readonly entries: ReviewEntries;
  private deciding: Promise<unknown> = Promise.resolve();
  private readonly held = new OwnWrites();

  /** Fires with the path whose review changed. */
  readonly onDidChange: ReviewEntries['onDidChange'];
  readonly decode: FileSystem['decode'] = (path, bytes) => this.around.files.decode(path, bytes);
  /** True while Folio writes this file. */
  readonly isHeld = this.held.has;

  constructor(around: LedgerPorts) {
    this.around = around;
    this.entries = new ReviewEntries(around);
    this.onDidChange = this.entries.onDidChange;
  }

  get paths(): readonly string[] {
    return [...this.entries.present.keys()];
  }

  review(path: string): FileReview | undefined {
    return this.entries.present.get(path)?.review;
  }

  /** True if the ledger wants to learn this file's content. */
  knows(path: string): boolean {
    return this.entries.find(path) !== undefined;
  }

  /** Files with pending changes, and those with changes that may return, as with another branch. */
  get followed(): readonly string[] {
    return this.entries.followed;
  }

  /** True if, besides, the file is reviewed change by change. */
  knowsText(path: string): boolean {
    return (this.entries.find(path)?.review.by ?? 'file') !== 'file';
  }

  /** Ignores reports about this file during the write. Report its content afterwards. */
  hold<T>(path: string, write: () => Promise<T>): Promise<T> {
    return this.held.hold(path, write);
  }

  /** Records an agent's text that nobody has reviewed. */
  agentWrote(
    path: string,
    before: string | null,
    after: string,
    format: TextFormat,
    chapterId: string,
    writer?: Writer,
  ): void {
    const known = this.entries.present.get(path);
    const base = known?.review.by === 'file' ? readUnit(known.review.base[0]) : undefined;
    // Hunks of lines share the file's format, so a text of another format stays a whole.
    if (base && !('text' in base && isSameFormat(base.format, format))) {
      const earlier = before === null ? null : { text: before, format };
      this.agentLeft(path, { before: earlier, after: { text: after, format } }, chapterId, writer);
      return;
    }
    const entry =
      known ?? this.entries.add(path, startReview(path, before, this.entries.findResting(path)), format);
    // The file is text again: what waited as a whole now waits as single hunks.
    const left = base === undefined ? undefined : readUnit(known?.review.present[0]);
    if (base !== undefined) {
      const begun = startReview(path, base ? base.text : null, undefined);
      // A newly written file is not executable; an existing one may have become so.
      entry.review = applyAgentMode(begun, base?.executable, left?.executable === true, chapterId, writer);
      // The text that waited as a whole is the agent's, too.
      if (left && 'text' in left)
        entry.review = applyAgentWrite(entry.review, changesTo(entry.review, left.text), chapterId, writer);
    }
    const followed = before === null ? entry.review : recallOrDerive(entry.review, entry.memory, before);
    const next = applyAgentWrite(followed, changesTo(followed, after), chapterId, writer);
    entry.format = format;
    entry.memory = rememberReviews(entry.memory, followed, next);
    this.entries.shelve(path, entry, []);
    this.entries.set(path, entry, next, 'now');
  }

  /** Records that the agent changed the executable bit. Record the text first. */
  agentSetMode(
    path: string,
    modes: { readonly before: boolean | undefined; readonly after: boolean },
    chapterId: string,
    writer?: Writer,
  ): void {
    const entry = this.entries.find(path);
    const next = entry && applyAgentMode(entry.review, modes.before, modes.after, chapterId, writer);
    if (next && next !== entry.review) this.entries.wake(path, entry, next);
  }

  /** Records a change that is reviewed as a whole: a deletion, no text, or text of another format. */
  agentLeft(path: string, change: WholeFileChange, chapterId: string, writer?: Writer): void {
    const known = this.entries.present.get(path);
    const begun = known
      ? asWholeFile(known.review, known.format, change.before?.executable)
      : beginWholeFileReview(path, change.before, this.entries.findResting(path));
    const entry = known ?? this.entries.add(path, begun, utf8Format);
    const followed = applyOutsideChange(begun, writeUnit(change.before));
    const next = applyAgentWrite(followed, changesTo(followed, writeUnit(change.after)), chapterId, writer);
    entry.memory = emptyMemory;
    this.entries.shelve(path, entry, []);
    this.entries.set(path, entry, dropHunksIfUnchanged(next), 'now');
  }

  /** Call before a command: what editors report while it runs may be the command's text. */
  rememberAll(): void {
    this.entries.beginFresh();
  }

  /**
   * Updates the file's text, whoever wrote it; `null`: it was deleted.
   * @param changes exact edited ranges if known, since a diff may guess others; each refers to the text after the
   * previous one
   */
  follow(path: string, text: string | null, changes?: readonly LineChange[]): void {
    const entry = this.entries.find(path);
    if (!entry || this.held.has(path)) return;
    if (entry.review.by === 'file') {
      this.catchUp(path).catch(error => this.around.log.error(`${path} could not be followed`, error));
      return;
    }
    const isWaiting = this.entries.present.has(path);
    if (text === null) {
      this.entries.shelve(path, entry, stashReview(entry.away, entry.review, undefined));
      // A command may have deleted it, which is detected when the command ends.
      if (!isRejectedCreation(entry.review)) this.entries.drop(path, 'rest');
      return;
    }
    if (isWaiting && presentText(entry.review) === text) return;
    const other = this.around.concurrentRuns?.otherAt(path, changes ? 'typed' : 'found');
    const followed = other
      ? followOtherWrite(entry.review, text, other)
      : followTyping(entry.review, text, changes);
    const back = changes ? undefined : restoreStashed(entry.away, text, followed);
    if (!changes)
      this.entries.shelve(path, entry, stashReview(back?.away ?? entry.away, entry.review, followed));
    const known = back?.review ?? (other ? undefined : recallReview(entry.memory, text, entry.review));
    if (back) this.entries.wake(path, entry, back.review);
    else if (isWaiting)
      this.entries.set(path, entry, preferRemembered(followed, known), other ? 'now' : 'afterPause');
    else if (known && !isFinished(known)) this.entries.wake(path, entry, known);
    // Nothing waits, and another session's write must not bring back what was rejected.
    else if (other) entry.review = followed;
  }

  /** Records a text that another session left while a command ran, if nothing since was the command's. */
  otherLeft(path: string, text: string, other: Writer): void {
    const entry = this.entries.present.get(path);
    if (entry && entry.review.by !== 'file')
      this.entries.set(path, entry, followOtherWrite(entry.review, text, other), 'now');
  }

  /** Continues the review under the file's new name. */
  rename(from: string, to: string): void {
    const entry = this.entries.present.get(from);
    if (!entry) return;
    this.entries.drop(from, 'forget');
    this.entries.wake(to, entry, entry.review);
  }

  accept(place: HunkSelection): void {
    for (const [path, entry, hunks] of findHunks(this.entries.present, place)) {
      const ids = hunks.map(({ id }) => id);
      entry.memory = acceptRemembered(entry.memory, ids);
      this.entries.shelve(path, entry, []);
      this.entries.set(path, entry, acceptChanges(entry.review, ids), 'now');
    }
  }

  /** Rejects hunks in their files. `evenTouched`: also what the user wrote into them. */
  reject(
    place: HunkSelection,
    touched: 'keepTouched' | 'evenTouched' = 'keepTouched',
  ): Promise<readonly ReviewFailure[]> {
    return this.inOrder(() => this.rejectNow(place, touched));
  }

  /** Writes a rejected hunk's lines again. */
  bringBack(path: string, hunkId: number): Promise<readonly ReviewFailure[]> {
    return this.inOrder(async () => {
      await this.catchUp(path);
      const entry = this.entries.present.get(path);
      const next = entry && bringBackChange(entry.review, hunkId);
      return next ? this.write(path, entry, next) : [];
    });
  }

  /** Restores pending reviews from the journal after a resume. Undo does not reach rejections before it. */
  async restore(reviews: readonly ReviewedFile[], shelved: readonly ShelvedFile[] = []): Promise<void> {
    for (const { path, reviews: described } of shelved) {
      const read = await Promise.all(described.map(each => readReview(each, this.around.blobs)));
      this.entries.restoreShelved(
        path,
        read.flatMap(each => (each ? [withoutRejected(each)] : [])),
      );
    }
    for (const described of reviews) {
      const { path } = described;
      const known = await readReview(described, this.around.blobs);
      const review = known && withoutRejected(known);
      if (!review || isFinished(review)) {
        if (!review) this.around.log.warn(`The review of ${path} is no longer kept.`);
        this.around.emit({ type: 'review.changed', path });
        continue;
      }
      const entry = this.entries.add(path, review, utf8Format);
      entry.memory = rememberReviews(emptyMemory, review);
      entry.recorded = known;
      this.entries.set(path, entry, review, 'now');
      await this.catchUp(path);
    }
    for (const { path } of shelved) await this.catchUp(path);
  }

  /** Restores the review of another place in the session, after the file was restored up to the user's edits. */
  async takeUp(path: string, described: ReviewedFile | undefined): Promise<void> {
    const review = described && (await readReview(described, this.around.blobs));
    if (!review) {
      this.entries.drop(path, 'rest');
      return;
    }
    const known = this.entries.present.get(path);
    const entry = known ?? this.entries.add(path, review, utf8Format);
    if (!known) this.entries.shelve(path, entry, []);
    entry.review = review;
    entry.memory = rememberReviews(entry.memory, review);
    await this.catchUp(path);
    if (this.entries.present.get(path) === entry) this.entries.set(path, entry, entry.review, 'now');
  }

  /** Resolves once everything is in the journal. */
  flush(): Promise<void> {
    return this.entries.flush();
  }

  private async rejectNow(
    place: HunkSelection,
    touched: 'keepTouched' | 'evenTouched',
  ): Promise<readonly ReviewFailure[]> {
    const problems: ReviewFailure[] = [];
    for (const path of new Set(findHunks(this.entries.present, place).map(([each]) => each))) {
      await this.catchUp(path);
      for (const [, entry, hunks] of findHunks(this.entries.present, { ...place, path })) {
        const isLeft = (hunk: Hunk) => hunk.touched && touched === 'keepTouched';
        const left = hunks.filter(isLeft);
        if (left.length > 0) problems.push(editedHunksFailure(path, left));
        const ids = hunks.filter(hunk => !isLeft(hunk)).map(({ id }) => id);
        problems.push(...(await this.write(path, entry, rejectChanges(entry.review, ids))));
      }
    }
    return problems;
  }

  /** Decisions write files, so they run one after another. */
  private inOrder<T>(decide: () => Promise<T>): Promise<T> {
    const result = this.deciding.then(decide);
    // The caller learns of a failure; the next decision runs nevertheless.
    this.deciding = result.catch(() => undefined);
    return result;
  }

  /** Reads the file in case nobody reported its content. */
  async catchUp(path: string): Promise<void> {
    const entry = this.entries.find(path);
    if (!entry || this.held.has(path)) return;
    const known = entry.review;
    try {
      if (known.by === 'file') {
        const unit = await readWholeFile(this.around.files, path);
        if (entry.review !== known || presentText(known) === unit) return;
        const followed = applyOutsideChange(known, unit);
        const back = restoreStashed(entry.away, unit, followed);
        this.entries.shelve(path, entry, stashReview(back?.away ?? entry.away, known, followed));
        if (back) this.entries.wake(path, entry, back.review);
        else if (this.entries.present.has(path)) this.entries.set(path, entry, followed, 'now');
        return;
      }
      const { text, format } = await readTextUnlessLinked(this.around.files, path);
      const stat = known.mode && (await this.around.files.stat(path));
      // Somebody reported a newer text during the read.
      if (entry.review !== known) return;
      entry.format = format;
      const next = applyOtherMode(known, stat?.executable);
      if (next !== known && this.entries.present.has(path)) this.entries.set(path, entry, next, 'now');
      this.follow(path, text);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.kind === 'notFound' || error.kind === 'changed') this.follow(path, null);
      else this.around.log.warn(`${path} could not be read for its review: ${error.message}`);
    }
  }

  private async write(path: string, entry: LedgerEntry, next: FileReview): Promise<readonly ReviewFailure[]> {
    const before = entry.review;
    if (next === before) return [];
    const fault = findNewFault(before, next);
    if (fault !== undefined) return [{ path, kind: 'failed', hunkIds: [], message: fault }];
    // A file watcher then finds a review that already has the text.
    entry.review = next;
    try {
      entry.memory = startFreshReviews(rememberReviews(entry.memory, before, next), next);
      this.entries.shelve(path, entry, []);
      const { files, blobs } = this.around;
      const change = { before, next, format: entry.format };
      await this.hold(path, () => writeReviewedFile(files, blobs, path, change));
      if (this.entries.present.get(path) === entry) this.entries.set(path, entry, entry.review, 'now');
      // The user may have typed meanwhile, and a formatter may have run on save.
      await this.catchUp(path);
      return [];
    } catch (error) {
      // An editor may hold the written text unsaved: then the decision took effect there.
      const isThere = error instanceof FileError && error.kind === 'unsaved';
      if (entry.review === next) this.entries.set(path, entry, isThere ? next : before, 'now');
      const message = t('{0} was not written: {1}', await this.around.show(path), messageOf(error));
      return [{ path, kind: 'failed', hunkIds: [], message }];
    }
  }
}
