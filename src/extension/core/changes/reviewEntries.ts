/*
 * The files of a session in which something waits for review, and those in which nothing waits any more but something
 * may come back. Each change of a review is told here, and goes to the journal:
 *
 *              add                    decided
 *     (none) ───────► waiting ──────────────────► resting
 *                        ▲        wake               │
 *                        └───────────────────────────┘
 */

import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../platform/clock.ts';
import { plainText, type TextFormat } from '../../platform/fileSystem.ts';
import { isDecided } from '../../review/fileMode.ts';
import type { FileReview } from '../../review/hunk.ts';
import { beginFresh, emptyMemory } from '../../review/reviewMemory.ts';
import { type RecordPorts, recordReview, recordShelved } from './describeReview.ts';
import type { Entry } from './reviewPlace.ts';

interface EntriesPorts extends RecordPorts {
  readonly clock: Clock;
}

/** Milliseconds without typing until it is recorded. */
const typingPauseMs = 1500;

export class ReviewEntries {
  private readonly around: EntriesPorts;
  private readonly waiting = new Map<string, Entry>();
  /** An undo, a redo or another branch may bring something back in these. */
  private readonly resting = new Map<string, Entry>();
  private readonly changed = new Emitter<string>();

  /** The path whose review is different now. */
  readonly onDidChange = this.changed.event;

  constructor(around: EntriesPorts) {
    this.around = around;
  }

  /** In the order of the first change. */
  get present(): ReadonlyMap<string, Entry> {
    return this.waiting;
  }

  findResting(path: string): Entry | undefined {
    return this.resting.get(path);
  }

  find(path: string): Entry | undefined {
    return this.waiting.get(path) ?? this.resting.get(path);
  }

  /** Something will wait in the file: call `set` next. */
  add(path: string, review: FileReview, format: TextFormat): Entry {
    const rested = this.resting.get(path);
    const entry = rested ? { ...rested, review, format, recorded: undefined } : beginEntry(review, format);
    this.resting.delete(path);
    this.waiting.set(path, entry);
    return entry;
  }

  set(path: string, entry: Entry, review: FileReview, record: 'now' | 'afterPause'): void {
    entry.review = review;
    if (isDecided(review)) {
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

  /** Pictures of what waited before the file was found without it. */
  shelve(path: string, entry: Entry, away: readonly FileReview[]): void {
    const isKept = entry.away.length > 0 || away.length > 0;
    if (!isKept || entry.away === away) return;
    entry.away = away;
    entry.recording = entry.recording.then(() => recordShelved(path, entry, this.around));
  }

  /** A command begins: pictures from now on may be those of a text that it is found to have written over. */
  beginFresh(): void {
    for (const entry of this.waiting.values()) entry.memory = beginFresh(entry.memory, entry.review);
    for (const entry of this.resting.values()) entry.memory = beginFresh(entry.memory);
  }

  /** Nothing waits in the file now, by the journal. */
  restoreShelved(path: string, away: readonly FileReview[]): void {
    const newest = away.at(-1);
    if (!newest) return;
    const review = { ...newest, present: newest.base, hunks: [], mode: undefined };
    this.resting.set(path, { ...beginEntry(review, plainText), away, recordedAway: away });
    this.changed.fire(path);
  }

  /** The files in which something waits, and those in which it may come back. */
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

  /** Something waits again in a file, or in one of a new name. */
  wake(path: string, entry: Entry, review: FileReview): void {
    const present = this.waiting.get(path) ?? { ...entry, recorded: undefined };
    this.resting.delete(path);
    this.waiting.set(path, present);
    this.set(path, present, review, 'now');
  }

  /** Everything is in the journal. */
  async flush(): Promise<void> {
    for (const [path, entry] of this.waiting) this.record(path, entry);
    const all = [...this.waiting.values(), ...this.resting.values()];
    await Promise.all(all.map(entry => entry.recording));
  }

  /** One after the other, so that the journal ends with the newest. */
  private record(path: string, entry: Entry): void {
    const isKnown = () => this.waiting.get(path) === entry;
    entry.recording = entry.recording.then(() => recordReview(path, entry, isKnown, this.around));
  }
}

function beginEntry(review: FileReview, format: TextFormat): Entry {
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
