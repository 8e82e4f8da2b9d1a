/*
 * The comments of one session. The journal holds each thread as it was recorded last; here they also follow every
 * change of their files, which is recorded once it pauses.
 *
 *     open ─ sent to the agent ─► sent ─┬─ the agent changed the lines ─► changed
 *       ▲                               └─ the agent answered ──────────► answered
 *       └── a further remark, reopened by hand, a rewind of the conversation (undone: as before)
 */

import {
  type CommentPlace,
  type CommentThread,
  isResolved,
  type Remark,
} from '../../../protocol/comments.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import { Emitter } from '../../base/emitter.ts';
import { isSameJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { LineChange } from '../../review/fileReview.ts';
import { splitLines } from '../../review/lineEdits.ts';
import type { Transcript } from '../recording/transcript.ts';
import { type CommentRange, comparePlace, findAgain, type Moved, movePlace, placeAt } from './anchor.ts';
import { type ComposedComments, composeComments } from './describeComments.ts';

/** The author of a change: the agent by its own writes; anybody else, which may be a command of the agent. */
type Changer = 'agent' | 'other';

/** How long typing must pause before new places are recorded, milliseconds. */
const pauseMs = 1500;

export class Comments {
  private readonly transcript: Pick<Transcript, 'state' | 'emit' | 'onEvent'>;
  /** As the user sees files: text that is not saved yet counts. */
  private readonly files: Pick<FileSystem, 'readText'>;
  private readonly clock: Clock;
  private readonly show: (path: string) => Promise<string>;
  private readonly changed = new Emitter<void>();
  /** Places that are newer than the journal's, by id. */
  private readonly moved = new Map<string, CommentPlace>();
  /** Files as they were last seen, in lines. */
  private readonly known = new Map<string, readonly string[]>();
  /** Threads whose lines somebody changed past the editor: a command, should the agent turn out to have run one. */
  private readonly touched = new Set<string>();
  private reading: Promise<unknown> = Promise.resolve();
  /** The comments sent last, with the id of their waiting prompt in case it is removed before the agent reads it. */
  private sent: { readonly composed: ComposedComments; readonly promptId?: string } | undefined;

  /** A thread came, went, moved or says something else. */
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

  /** Where they are now. */
  get threads(): readonly CommentThread[] {
    return this.transcript.state.comments.map(thread => {
      const place = this.moved.get(thread.id);
      return place ? { ...thread, place } : thread;
    });
  }

  /** Something was sent and waits for the agent. */
  get areSent(): boolean {
    return this.transcript.state.comments.some(({ status }) => status === 'sent');
  }

  /** The file as it was last seen, with line breaks of one kind; `undefined`: nobody looked. */
  linesOf(path: string): readonly string[] | undefined {
    return this.known.get(path);
  }

  has(path: string): boolean {
    return this.transcript.state.comments.some(thread => thread.path === path);
  }

  /** @param text of the file as it stands now */
  async write(path: string, range: CommentRange, text: string, said: string): Promise<void> {
    const shown = await this.show(path);
    this.follow(path, text);
    const lines = linesOf(text);
    this.known.set(path, lines);
    const { comments } = this.transcript.state;
    const number = Math.max(0, ...comments.map(thread => thread.number)) + 1;
    const place = placeAt(lines, range);
    const id = this.clock.newId();
    this.set({ id, number, path, shown, place, remarks: [this.remark('person', said)], status: 'open' });
  }

  /** The thread goes to the agent once more. */
  reply(id: string, said: string): void {
    this.change(id, thread => ({
      ...thread,
      remarks: [...thread.remarks, this.remark('person', said)],
      status: 'open',
    }));
  }

  /** Another text for a remark; without one the remark goes, and with the last of the user's the thread. */
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

  /** The agent's answer. False when there is no such comment. */
  answer(number: number, said: string): boolean {
    const thread = this.threads.find(each => each.number === number);
    if (!thread) return false;
    const remarks = [...thread.remarks, this.remark('folio', said)];
    // The agent has not answered remarks that the user wrote after sending.
    const status = thread.status === 'open' ? 'open' : 'answered';
    this.set({ ...thread, remarks, status });
    return true;
  }

  /** All open comments, where they stand now, as one prompt; they count as sent. `undefined`: there are none. */
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
   * The file holds this text now.
   * @param changes the very places that were typed at, where they are known, each in the text that the one before it left
   */
  follow(path: string, text: string, changes?: readonly LineChange[]): void {
    this.followBy('other', path, text, changes);
  }

  /** The file, or the folder around it, is under another name now. */
  async rename(from: string, to: string): Promise<void> {
    for (const thread of this.threads) {
      const rest = thread.path.slice(from.length);
      if (!thread.path.startsWith(from) || !/^([/\\]|$)/.test(rest)) continue;
      const path = to + rest;
      this.set({ ...thread, path, shown: await this.show(path) });
    }
  }

  /** Learns what the file holds, in case nobody has told. Never rejects. */
  catchUp(path: string, by: Changer = 'other'): Promise<void> {
    const read = this.reading.then(async () => {
      if (!this.has(path)) return;
      try {
        this.followBy(by, path, (await this.files.readText(path)).text);
      } catch (error) {
        // A file that is gone may come back with the next branch, and its comments with it.
        if (!(error instanceof FileError)) throw error;
      }
    });
    // The caller hears of a bug; the next file is read all the same.
    this.reading = read.catch(() => undefined);
    return read;
  }

  /** The journal knows where every comment stands. */
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

  private remark(by: Remark['by'], text: string): Remark {
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
    const after = linesOf(text);
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

  /** The journal's places are those from before the rewind, so they are looked for in the files as they are now. */
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
): Moved {
  if (!before) return { place: findAgain(place, after), touched: false };
  return changes && leadsTo(before, changes, after)
    ? movePlace(place, changes, after)
    : comparePlace(place, before, after);
}

/** Breaks are all of one kind, as in an editor, which counts none of their characters. */
function linesOf(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}

/** Finds out whether the typed changes lead to this text; otherwise only a diff can tell. */
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
