/*
 * Keeps track of the agent's changes that wait for review, in all files of a session. Code that learns of a new text
 * calls `follow`; the agent's own writes go through `agentWrote`. The picture of each file is pure logic
 * (review/fileReview.ts); this class connects it with files, blobs and the journal.
 */

import type { ReviewedFile, ShelvedFile } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Writer } from '../../../protocol/values.ts';
import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSameFormat } from '../../platform/fileEncodings.ts';
import { FileError, type FileSystem, plainText, type TextFormat } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { findNewFault } from '../../review/cellHunks.ts';
import {
  acceptChanges,
  agentSetsExecutable,
  bringBackChange,
  isDecided,
  rejectChanges,
  userLeftExecutable,
  withoutRejected,
} from '../../review/fileMode.ts';
import { agentWrites, changesTo, type LineChange, presentText } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import {
  acceptRemembered,
  beginFresh,
  emptyMemory,
  findOrFollow,
  recalledOr,
  recallReview,
  remember,
  restoreStashed,
  stashReview,
} from '../../review/reviewMemory.ts';
import { otherText, typedText } from '../../review/typedText.ts';
import { asWhole, readUnit, settled, userLeft, type WholeChange, writeUnit } from '../../review/wholeFile.ts';
import { readReview } from './describeReview.ts';
import type { OtherRun } from './otherRuns.ts';
import { OwnWrites } from './ownWrites.ts';
import { ReviewEntries } from './reviewEntries.ts';
import {
  beginLeft,
  beginOrRecall,
  type Entry,
  findHunks,
  isRemoved,
  type ReviewError,
  type ReviewPlace,
  touchedProblem,
} from './reviewPlace.ts';
import { readOwnText, readWhole, writeReview } from './wholeFiles.ts';

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
  readonly otherRuns?: Pick<OtherRun, 'otherAt'>;
}

export class ReviewLedger {
  private readonly around: LedgerPorts;
  private readonly entries: ReviewEntries;
  private deciding: Promise<unknown> = Promise.resolve();
  private readonly held = new OwnWrites();

  /** The path whose review is different now. */
  readonly onDidChange: ReviewEntries['onDidChange'];
  readonly decode: FileSystem['decode'] = (path, bytes) => this.around.files.decode(path, bytes);
  /** Folio is writing this file. */
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

  /** It is of use to tell what this file holds. */
  knows(path: string): boolean {
    return this.entries.find(path) !== undefined;
  }

  /** Files in which something waits, or may come back, as with another branch. */
  get followed(): readonly string[] {
    return this.entries.followed;
  }

  /** The same, and it is decided on change by change. */
  knowsText(path: string): boolean {
    const by = this.entries.find(path)?.review.by;
    return by !== undefined && by !== 'file';
  }

  /** Nobody is heard about this file meanwhile; tell what it holds afterwards. */
  hold<T>(path: string, write: () => Promise<T>): Promise<T> {
    return this.held.hold(path, write);
  }

  /** The agent wrote a text that nobody has reviewed. */
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
    // Hunks of lines know one format, that of the file: a text of another one stays a whole.
    if (base && !('text' in base && isSameFormat(base.format, format))) {
      const earlier = before === null ? null : { text: before, format };
      this.agentLeft(path, { before: earlier, after: { text: after, format } }, chapterId, writer);
      return;
    }
    const entry =
      known ?? this.entries.add(path, beginOrRecall(path, before, this.entries.findResting(path)), format);
    // A text again: what waited as a whole waits in single hunks from now on.
    const left = base === undefined ? undefined : readUnit(known?.review.present[0]);
    if (base !== undefined) {
      const begun = beginOrRecall(path, base ? base.text : null, undefined);
      // A file that is written again is not executable, one that was there may have become so.
      entry.review = agentSetsExecutable(
        begun,
        base?.executable,
        left?.executable === true,
        chapterId,
        writer,
      );
      // The text that waited as a whole is the agent's, too.
      if (left && 'text' in left)
        entry.review = agentWrites(entry.review, changesTo(entry.review, left.text), chapterId, writer);
    }
    const followed = before === null ? entry.review : findOrFollow(entry.review, entry.memory, before);
    const next = agentWrites(followed, changesTo(followed, after), chapterId, writer);
    entry.format = format;
    entry.memory = remember(entry.memory, followed, next);
    this.entries.shelve(path, entry, []);
    this.entries.set(path, entry, next, 'now');
  }

  /** The agent made a file executable, or took that away. Tell of its text first. */
  agentSetMode(
    path: string,
    modes: { readonly before: boolean | undefined; readonly after: boolean },
    chapterId: string,
    writer?: Writer,
  ): void {
    const entry = this.entries.find(path);
    const next = entry && agentSetsExecutable(entry.review, modes.before, modes.after, chapterId, writer);
    if (next && next !== entry.review) this.entries.wake(path, entry, next);
  }

  /** A file was deleted, or what was left is no text, or none like before: that is decided on as a whole. */
  agentLeft(path: string, change: WholeChange, chapterId: string, writer?: Writer): void {
    const known = this.entries.present.get(path);
    const begun = known
      ? asWhole(known.review, known.format, change.before?.executable)
      : beginLeft(path, change.before, this.entries.findResting(path));
    const entry = known ?? this.entries.add(path, begun, plainText);
    const followed = userLeft(begun, writeUnit(change.before));
    const next = agentWrites(followed, changesTo(followed, writeUnit(change.after)), chapterId, writer);
    entry.memory = emptyMemory;
    this.entries.shelve(path, entry, []);
    this.entries.set(path, entry, settled(next), 'now');
  }

  /** A command begins: what an editor reports while it runs may turn out to be the command's. */
  rememberAll(): void {
    this.entries.beginFresh();
  }

  /**
   * The file holds this text now, whoever wrote it; `null`: it is gone.
   * @param changes the very places that were typed at, where they are known: a diff may guess others. Each in the
   *   text that the one before it left
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
      // A command may have deleted it, which is found out when the command ends.
      if (!isRemoved(entry.review)) this.entries.drop(path, 'rest');
      return;
    }
    if (isWaiting && presentText(entry.review) === text) return;
    const other = this.around.otherRuns?.otherAt(path, changes ? 'typed' : 'found');
    const followed = other ? otherText(entry.review, text, other) : typedText(entry.review, text, changes);
    const back = changes ? undefined : restoreStashed(entry.away, text, followed);
    if (!changes)
      this.entries.shelve(path, entry, stashReview(back?.away ?? entry.away, entry.review, followed));
    const known = back?.review ?? (other ? undefined : recallReview(entry.memory, text, entry.review));
    if (back) this.entries.wake(path, entry, back.review);
    else if (isWaiting)
      this.entries.set(path, entry, recalledOr(followed, known), other ? 'now' : 'afterPause');
    else if (known && !isDecided(known)) this.entries.wake(path, entry, known);
    // Nothing waits, and what was rejected shall not come back by what another session writes.
    else if (other) entry.review = followed;
  }

  /** Another session left this text while a command ran, and nothing was found to be the command's since. */
  otherLeft(path: string, text: string, other: Writer): void {
    const entry = this.entries.present.get(path);
    if (entry && entry.review.by !== 'file')
      this.entries.set(path, entry, otherText(entry.review, text, other), 'now');
  }

  /** The file is under another name now. */
  rename(from: string, to: string): void {
    const entry = this.entries.present.get(from);
    if (!entry) return;
    this.entries.drop(from, 'forget');
    this.entries.wake(to, entry, entry.review);
  }

  accept(place: ReviewPlace): void {
    for (const [path, entry, hunks] of findHunks(this.entries.present, place)) {
      const ids = hunks.map(({ id }) => id);
      entry.memory = acceptRemembered(entry.memory, ids);
      this.entries.shelve(path, entry, []);
      this.entries.set(path, entry, acceptChanges(entry.review, ids), 'now');
    }
  }

  /** Takes hunks back in their files. `evenTouched`: also what the user wrote into them. */
  reject(
    place: ReviewPlace,
    touched: 'keepTouched' | 'evenTouched' = 'keepTouched',
  ): Promise<readonly ReviewError[]> {
    return this.inOrder(() => this.rejectNow(place, touched));
  }

  /** Writes a rejected hunk's lines again. */
  bringBack(path: string, hunkId: number): Promise<readonly ReviewError[]> {
    return this.inOrder(async () => {
      await this.catchUp(path);
      const entry = this.entries.present.get(path);
      const next = entry && bringBackChange(entry.review, hunkId);
      return next ? this.write(path, entry, next) : [];
    });
  }

  /** Takes up what waits by the journal, after a resume. No undo reaches back to what was rejected before it. */
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
      if (!review || isDecided(review)) {
        if (!review) this.around.log.warn(`The review of ${path} is no longer kept.`);
        this.around.emit({ type: 'review.changed', path });
        continue;
      }
      const entry = this.entries.add(path, review, plainText);
      entry.memory = remember(emptyMemory, review);
      entry.recorded = known;
      this.entries.set(path, entry, review, 'now');
      await this.catchUp(path);
    }
    for (const { path } of shelved) await this.catchUp(path);
  }

  /** The file is as it was at another place of the session, but for what the user typed: what waited there waits. */
  async takeUp(path: string, described: ReviewedFile | undefined): Promise<void> {
    const review = described && (await readReview(described, this.around.blobs));
    if (!review) {
      this.entries.drop(path, 'rest');
      return;
    }
    const known = this.entries.present.get(path);
    const entry = known ?? this.entries.add(path, review, plainText);
    if (!known) this.entries.shelve(path, entry, []);
    entry.review = review;
    entry.memory = remember(entry.memory, review);
    await this.catchUp(path);
    if (this.entries.present.get(path) === entry) this.entries.set(path, entry, entry.review, 'now');
  }

  /** Everything is in the journal. */
  flush(): Promise<void> {
    return this.entries.flush();
  }

  private async rejectNow(
    place: ReviewPlace,
    touched: 'keepTouched' | 'evenTouched',
  ): Promise<readonly ReviewError[]> {
    const problems: ReviewError[] = [];
    for (const path of new Set(findHunks(this.entries.present, place).map(([each]) => each))) {
      await this.catchUp(path);
      for (const [, entry, hunks] of findHunks(this.entries.present, { ...place, path })) {
        const isLeft = (hunk: Hunk) => hunk.touched && touched === 'keepTouched';
        const left = hunks.filter(isLeft);
        if (left.length > 0) problems.push(touchedProblem(path, left));
        const ids = hunks.filter(hunk => !isLeft(hunk)).map(({ id }) => id);
        problems.push(...(await this.write(path, entry, rejectChanges(entry.review, ids))));
      }
    }
    return problems;
  }

  /** Two decisions that write would meet each other half done. */
  private inOrder<T>(decide: () => Promise<T>): Promise<T> {
    const result = this.deciding.then(decide);
    // The caller who decided hears of a failure; the next decision goes ahead all the same.
    this.deciding = result.catch(() => undefined);
    return result;
  }

  /** Learns what the file holds, in case nobody has told. */
  async catchUp(path: string): Promise<void> {
    const entry = this.entries.find(path);
    if (!entry || this.held.has(path)) return;
    const known = entry.review;
    try {
      if (known.by === 'file') {
        const unit = await readWhole(this.around.files, path);
        if (entry.review !== known || presentText(known) === unit) return;
        const followed = userLeft(known, unit);
        const back = restoreStashed(entry.away, unit, followed);
        this.entries.shelve(path, entry, stashReview(back?.away ?? entry.away, known, followed));
        if (back) this.entries.wake(path, entry, back.review);
        else if (this.entries.present.has(path)) this.entries.set(path, entry, followed, 'now');
        return;
      }
      const { text, format } = await readOwnText(this.around.files, path);
      const stat = known.mode && (await this.around.files.stat(path));
      // Somebody has reported a newer text while this one was read.
      if (entry.review !== known) return;
      entry.format = format;
      const next = userLeftExecutable(known, stat?.executable);
      if (next !== known && this.entries.present.has(path)) this.entries.set(path, entry, next, 'now');
      this.follow(path, text);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.kind === 'notFound' || error.kind === 'changed') this.follow(path, null);
      else this.around.log.warn(`${path} could not be read for its review: ${error.message}`);
    }
  }

  private async write(path: string, entry: Entry, next: FileReview): Promise<readonly ReviewError[]> {
    const before = entry.review;
    if (next === before) return [];
    const fault = findNewFault(before, next);
    if (fault !== undefined) return [{ path, kind: 'failed', hunkIds: [], message: fault }];
    // A watcher of the file then finds a picture that already knows the text.
    entry.review = next;
    try {
      entry.memory = beginFresh(remember(entry.memory, before, next), next);
      this.entries.shelve(path, entry, []);
      const { files, blobs } = this.around;
      await this.hold(path, () => writeReview(files, blobs, path, { before, next, format: entry.format }));
      if (this.entries.present.get(path) === entry) this.entries.set(path, entry, entry.review, 'now');
      // Somebody may have typed meanwhile, and a formatter may have been at work while the file was saved.
      await this.catchUp(path);
      return [];
    } catch (error) {
      // An editor may hold unsaved what was to be written: then the decision is carried out there.
      const isThere = error instanceof FileError && error.kind === 'unsaved';
      if (entry.review === next) this.entries.set(path, entry, isThere ? next : before, 'now');
      const message = t('{0} was not written: {1}', await this.around.show(path), messageOf(error));
      return [{ path, kind: 'failed', hunkIds: [], message }];
    }
  }
}
