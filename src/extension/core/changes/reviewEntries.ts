/*
 * A session's files with pending changes, and those whose decided changes may still return. Every change of a review is
 * announced here and written to the journal:
 *
 *              add                    decided
 *     (none) ───────► waiting ──────────────────► resting
 *                        ▲        wake               │
 *                        └───────────────────────────┘
 */

import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../platform/clock.ts';
import { type TextFormat, utf8Format } from '../../platform/fileSystem.ts';
import { isFinished } from '../../review/fileMode.ts';
import type { FileReview } from '../../review/hunk.ts';
import { emptyMemory, startFreshReviews } from '../../review/reviewMemory.ts';
import { type RecordPorts, recordReview, recordShelvedReviews } from './describeReview.ts';
import type { LedgerEntry } from './reviewPlace.ts';

interface EntriesPorts extends RecordPorts {
  readonly clock: Clock;
}

/** Milliseconds without typing before a review is recorded. */
const typingPauseMs = 1500;

export class ReviewEntries {
  private readonly around: EntriesPorts;
  private readonly waiting = new Map<string, LedgerEntry>();
  /** Files into which undo, redo or another branch may bring changes back. */
  private readonly resting = new Map<string, LedgerEntry>();
  private readonly changed = new Emitter<string>();

  /** Fires with the path whose review changed. */
  readonly onDidChange = this.changed.event;

  constructor(around: EntriesPorts) {
    this.around = around;
  }

  /** In the order of the first change. */
  get present(): ReadonlyMap<string, LedgerEntry> {
    return this.waiting;
  }

  findResting(path: string): LedgerEntry | undefined {
    return this.resting.get(path);
  }

  find(path: string): LedgerEntry | undefined {
    return this.waiting.get(path) ?? this.resting.get(path);
  }

  /** Creates an entry for a file that will have pending changes. Call `set` next. */
  add(path: string, review: FileReview, format: TextFormat): LedgerEntry {
    const rested = this.resting.get(path);
    const entry = rested ? { ...rested, review, format, recorded: undefined } : beginEntry(review, format);
    this.resting.delete(path);
    this.waiting.set(path, entry);
    return entry;
  }

  set(path: string, entry: LedgerEntry, review: FileReview, record: 'now' | 'afterPause'): void {
    entry.review = review;
    if (isFinished(review)) {
      this.drop(path, 'rest');
      return;
    }
    this.changed.fire(path);
    const recordIfNewest = () => {
      if (entry.review === review && this.waiting.get(path) === entry) this.record(path, entry);
    };
    if (record === 'now') recordIfNewest();
    else void this.around.clock.sleep(typingPauseMs).then(recordIfNewest);
  }

  /** Stores reviews from before the file was found without its pending changes. */
  shelve(path: string, entry: LedgerEntry, away: readonly FileReview[]): void {
    const isKept = entry.away.length > 0 || away.length > 0;
    if (!isKept || entry.away === away) return;
    entry.away = away;
    entry.recording = entry.recording.then(() => recordShelvedReviews(path, entry, this.around));
  }

  /** Call before a command: reviews from now on may belong to a text that the command has overwritten. */
  beginFresh(): void {
    for (const entry of this.waiting.values()) entry.memory = startFreshReviews(entry.memory, entry.review);
    for (const entry of this.resting.values()) entry.memory = startFreshReviews(entry.memory);
  }

  /** Restores shelved reviews of a file without pending changes from the journal. */
  restoreShelved(path: string, away: readonly FileReview[]): void {
    const newest = away.at(-1);
    if (!newest) return;
    const review = { ...newest, present: newest.base, hunks: [], mode: undefined };
    this.resting.set(path, { ...beginEntry(review, utf8Format), away, recordedAway: away });
    this.changed.fire(path);
  }

  /** Files with pending changes, and those whose changes may return. */
  get followed(): readonly string[] {
    const back = [...this.resting].filter(([, { away }]) => away.length > 0);
    return [...this.waiting.keys(), ...back.map(([path]) => path)];
  }

  drop(path: string, how: 'rest' | 'forget'): void {
    const entry = this.waiting.get(path);
    this.resting.delete(path);
    if (!entry) return;
    this.waiting.delete(path);
    if (how === 'rest') this.resting.set(path, entry);
    entry.recording = entry.recording.then(() => {
      if (entry.recorded) this.around.emit({ type: 'review.changed', path });
    });
    this.changed.fire(path);
  }

  /** Makes a file pending again, maybe under a new name. */
  wake(path: string, entry: LedgerEntry, review: FileReview): void {
    const present = this.waiting.get(path) ?? { ...entry, recorded: undefined };
    this.resting.delete(path);
    this.waiting.set(path, present);
    this.set(path, present, review, 'now');
  }

  /** Resolves once everything is in the journal. */
  async flush(): Promise<void> {
    for (const [path, entry] of this.waiting) this.record(path, entry);
    const all = [...this.waiting.values(), ...this.resting.values()];
    await Promise.all(all.map(entry => entry.recording));
  }

  /** Records in order, so that the journal ends with the latest state. */
  private record(path: string, entry: LedgerEntry): void {
    const isKnown = () => this.waiting.get(path) === entry;
    entry.recording = entry.recording.then(() => recordReview(path, entry, isKnown, this.around));
  }
}

function beginEntry(review: FileReview, format: TextFormat): LedgerEntry {
  return {
    review,
    format,
    memory: emptyMemory,
    away: [],
    recordedAway: [],
    recorded: undefined,
    recording: Promise.resolve(),
  };
}
