/*
 * The comments of one session. The journal has each thread as last recorded. This class also follows changes of their
 * files and records new positions after a pause.
 *
 *     open ─ sent to the agent ─► sent ─┬─ the agent changed the lines ─► changed
 *       ▲                               └─ the agent answered ──────────► answered
 *       └── a further remark, reopened by hand, a rewind of the conversation (undone: as before)
 */

import {
  type CommentPlace,
  type CommentThread,
  isResolved,
  type ThreadComment,
} from '../../../protocol/comments.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import { Emitter } from '../../base/emitter.ts';
import { isSameJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { LineChange } from '../../review/fileReview.ts';
import { splitLinesAsLf } from '../../review/lineEdits.ts';
import type { Transcript } from '../recording/transcript.ts';
import {
  type CommentRange,
  type MovedPlace,
  movePlace,
  movePlaceBetween,
  placeAt,
  relocateComment,
} from './anchor.ts';
import { type ComposedComments, composeComments } from './describeComments.ts';

/** Author of a change: the agent through its own writes, or anybody else, including a command of the agent. */
type Changer = 'agent' | 'other';

/** Milliseconds without typing before new positions are recorded. */
const pauseMs = 1500;

export class Comments {
  private readonly transcript: Pick<Transcript, 'state' | 'emit' | 'onEvent'>;
  /** Files as the user sees them, with unsaved text. */
  private readonly files: Pick<FileSystem, 'readText'>;
  private readonly clock: Clock;
  private readonly show: (path: string) => Promise<string>;
  private readonly changed = new Emitter<void>();
  /** Positions newer than those in the journal, by id. */
  private readonly moved = new Map<string, CommentPlace>();
  /** Last known lines of files. */
  private readonly known = new Map<string, readonly string[]>();
  /** Threads whose lines were changed outside the editor, perhaps by a command of the agent. */
  private readonly touched = new Set<string>();
  private reading: Promise<unknown> = Promise.resolve();
  /** The comments sent last, with the id of their queued prompt in case it is removed before the agent reads it. */
  private sent: { readonly composed: ComposedComments; readonly promptId?: string } | undefined;

  /** Fires when a thread is added, removed, moved or changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    transcript: Pick<Transcript, 'state' | 'emit' | 'onEvent'>,
    files: Pick<FileSystem, 'readText'>,
    clock: Clock,
    show: (path: string) => Promise<string>,
  ) {
    this.transcript = transcript;
    this.files = files;
    this.clock = clock;
    this.show = show;
    transcript.onEvent(event => this.hear(event));
  }

  /** All threads at their current positions. */
  get threads(): readonly CommentThread[] {
    return this.transcript.state.comments.map(thread => {
      const place = this.moved.get(thread.id);
      return place ? { ...thread, place } : thread;
    });
  }

  /** True if a sent comment waits for the agent. */
  get areSent(): boolean {
    return this.transcript.state.comments.some(({ status }) => status === 'sent');
  }

  /** Last known lines of a file, without line breaks; `undefined`: never read. */
  linesOf(path: string): readonly string[] | undefined {
    return this.known.get(path);
  }

  has(path: string): boolean {
    return this.transcript.state.comments.some(thread => thread.path === path);
  }

  /** @param text current content of the file */
  async write(path: string, range: CommentRange, text: string, said: string): Promise<void> {
    const shown = await this.show(path);
    this.follow(path, text);
    const lines = splitLinesAsLf(text);
    this.known.set(path, lines);
    const { comments } = this.transcript.state;
    const number = Math.max(0, ...comments.map(thread => thread.number)) + 1;
    const place = placeAt(lines, range);
    const id = this.clock.newId();
    this.set({ id, number, path, shown, place, remarks: [this.remark('person', said)], status: 'open' });
  }

  /** Adds a remark and reopens the thread. */
  reply(id: string, said: string): void {
    this.change(id, thread => ({
      ...thread,
      remarks: [...thread.remarks, this.remark('person', said)],
      status: 'open',
    }));
  }

  /** Replaces a remark's text. Without a text, removes the remark, and with the user's last one the thread. */
  edit(id: string, remarkId: string | undefined, said: string | undefined): void {
    const thread = this.find(id);
    if (!thread) return;
    const remarks = thread.remarks.flatMap(remark => {
      if (remark.id !== remarkId) return [remark];
      return said === undefined ? [] : [{ ...remark, text: said }];
    });
    if (remarks.some(({ by }) => by === 'person')) {
      const status = said === undefined || isResolved(thread) ? thread.status : 'open';
      this.set({ ...thread, remarks, status });
    } else this.remove(id);
  }

  remove(id: string): void {
    if (this.find(id)) this.transcript.emit({ type: 'comment.changed', id });
  }

  setResolved(id: string, resolved: 'resolved' | 'open'): void {
    this.change(id, thread => ({ ...thread, status: resolved === 'open' ? 'open' : 'closed' }));
  }

  /** Adds the agent's answer. Returns false if there is no such comment. */
  answer(number: number, said: string): boolean {
    const thread = this.threads.find(each => each.number === number);
    if (!thread) return false;
    const remarks = [...thread.remarks, this.remark('folio', said)];
    // Remarks that the user added after sending are not answered yet.
    const status = thread.status === 'open' ? 'open' : 'answered';
    this.set({ ...thread, remarks, status });
    return true;
  }

  /** Composes all open comments as one prompt and marks them as sent. `undefined`: there are none. */
  async send(): Promise<ComposedComments | undefined> {
    const paths = new Set(this.open.map(({ path }) => path));
    await Promise.all([...paths].map(path => this.catchUp(path)));
    const { open } = this;
    if (open.length === 0) return undefined;
    const composed = composeComments(
      open.map(thread => {
        const { start, count } = thread.place;
        return {
          thread,
          lines: (this.known.get(thread.path) ?? [])
            .slice(start, start + count)
            .map(line => line.replace(/\n$/, '')),
        };
      }),
    );
    for (const thread of open) {
      this.touched.delete(thread.id);
      this.set({ ...thread, status: 'sent' });
    }
    this.sent = { composed };
    return composed;
  }

  /**
   * Updates the file's text.
   * @param changes exact edits if known, each referring to the text after the previous one
   */
  follow(path: string, text: string, changes?: readonly LineChange[]): void {
    this.followBy('other', path, text, changes);
  }

  /** Renames a file, or the files in a folder. */
  async rename(from: string, to: string): Promise<void> {
    for (const thread of this.threads) {
      const rest = thread.path.slice(from.length);
      if (!thread.path.startsWith(from) || !/^([/\\]|$)/.test(rest)) continue;
      const path = to + rest;
      this.set({ ...thread, path, shown: await this.show(path) });
    }
  }

  /** Reads the file in case nobody reported its content. Never rejects. */
  catchUp(path: string, by: Changer = 'other'): Promise<void> {
    const read = this.reading.then(async () => {
      if (!this.has(path)) return;
      try {
        this.followBy(by, path, (await this.files.readText(path)).text);
      } catch (error) {
        // A deleted file, and its comments, may return with another branch.
        if (!(error instanceof FileError)) throw error;
      }
    });
    // The caller gets the error; other files are still read.
    this.reading = read.catch(() => undefined);
    return read;
  }

  /** Resolves once the journal has the position of every comment. */
  async flush(): Promise<void> {
    await this.reading;
    this.record();
  }

  private get open(): readonly CommentThread[] {
    return this.threads.filter(({ status }) => status === 'open');
  }

  private find(id: string): CommentThread | undefined {
    return this.threads.find(thread => thread.id === id);
  }

  private remark(by: ThreadComment['by'], text: string): ThreadComment {
    return { id: this.clock.newId(), by, text, at: this.clock.now() };
  }

  private change(id: string, next: (thread: CommentThread) => CommentThread): void {
    const thread = this.find(id);
    if (thread) this.set(next(thread));
  }

  private set(thread: CommentThread): void {
    this.transcript.emit({ type: 'comment.changed', id: thread.id, thread });
  }

  private hear(event: SessionEvent): void {
    switch (event.type) {
      case 'comment.changed':
        this.moved.delete(event.id);
        if (event.thread?.status !== 'sent') this.touched.delete(event.id);
        this.changed.fire();
        return;
      case 'session.rewound':
        this.changed.fire();
        return;
      case 'rewind.undone':
        this.findAll();
        return;
      case 'prompt.queued':
        if (this.sent && event.prompt.wording === this.sent.composed.wording)
          this.sent = { ...this.sent, promptId: event.prompt.id };
        return;
      case 'prompt.unqueued':
        if (event.because === 'removed' && event.id === this.sent?.promptId) this.takeBack();
        return;
      case 'turn.started':
        this.touched.clear();
        return;
      case 'file.written':
        if (this.has(event.path)) void this.catchUp(event.path, changerOf(event.writer?.kind));
        return;
    }
  }

  private followBy(by: Changer, path: string, text: string, changes?: readonly LineChange[]): void {
    const threads = this.threads.filter(thread => thread.path === path);
    if (threads.length === 0) return;
    const before = this.known.get(path);
    const after = splitLinesAsLf(text);
    this.known.set(path, after);
    for (const thread of threads) {
      const moved = follow(thread.place, before, after, changes);
      if (by === 'other' && !changes && moved.touched) this.touched.add(thread.id);
      const isSettled =
        by === 'agent' && thread.status === 'sent' && (moved.touched || this.touched.has(thread.id));
      if (isSettled) this.set({ ...thread, place: moved.place, status: 'changed' });
      else if (!isSameJson(moved.place, thread.place)) this.moved.set(thread.id, moved.place);
    }
    if (this.moved.size === 0) return;
    this.changed.fire();
    const newest = new Map(this.moved);
    void this.clock.sleep(pauseMs).then(() => {
      if ([...newest].every(([id, place]) => this.moved.get(id) === place)) this.record();
    });
  }

  /** Recorded positions are from before the rewind, so the lines are searched in the current files. */
  private findAll(): void {
    this.moved.clear();
    for (const path of new Set(this.threads.map(thread => thread.path))) {
      this.known.delete(path);
      void this.catchUp(path);
    }
    this.changed.fire();
  }

  private takeBack(): void {
    for (const id of this.sent?.composed.ids ?? [])
      this.change(id, thread => (thread.status === 'sent' ? { ...thread, status: 'open' } : thread));
  }

  private record(): void {
    for (const thread of this.threads) if (this.moved.has(thread.id)) this.set(thread);
  }
}

function changerOf(writer: string | undefined): Changer {
  return writer === 'call' || writer === 'command' ? 'agent' : 'other';
}

function follow(
  place: CommentPlace,
  before: readonly string[] | undefined,
  after: readonly string[],
  changes: readonly LineChange[] | undefined,
): MovedPlace {
  if (!before) return { place: relocateComment(place, after), touched: false };
  return changes && leadsTo(before, changes, after)
    ? movePlace(place, changes, after)
    : movePlaceBetween(place, before, after);
}

/** Checks whether the reported edits lead to this text; otherwise a diff is needed. */
function leadsTo(
  before: readonly string[],
  changes: readonly LineChange[],
  after: readonly string[],
): boolean {
  const typed = changes.reduce(
    (lines, { start, count, lines: by }) => lines.toSpliced(start, count, ...by),
    before,
  );
  return typed.length === after.length && typed.every((line, i) => line === after[i]);
}
