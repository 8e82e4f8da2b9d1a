import type { SessionEvent } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { Journal, SessionStore } from '../../platform/storage.ts';
import { HeldText } from './heldText.ts';

/**
 * Appends a session's events to its journal, without secrets of known formats. Nothing is on the disk before `begin`, so that sessions in which
 * nothing was said leave no trace; a session that was read from the disk is there already. When the disk fails, the
 * session goes on unrecorded and says so once.
 */
export class Recorder {
  private readonly store: SessionStore;
  private readonly sessionId: string;
  private readonly onTrouble: (sentence: string) => void;
  private readonly text = new HeldText();
  private early: string[] = [];
  private journal: Promise<Journal | undefined> | undefined;
  private open: Journal | undefined;
  private resumed = false;
  private broken = false;

  constructor(store: SessionStore, sessionId: string, onTrouble: (sentence: string) => void) {
    this.store = store;
    this.sessionId = sessionId;
    this.onTrouble = onTrouble;
  }

  /** The session has a journal: the next event opens it. */
  resume(): void {
    this.resumed = true;
  }

  /** In order. Live output is left out: the whole of it comes with the call's end. */
  record(event: SessionEvent): void {
    if (this.broken || event.type === 'call.output') return;
    this.write(this.text.take(event));
    if (this.resumed && !this.journal) void this.begin();
  }

  /** Opens the journal and writes what has come so far. */
  begin(): Promise<void> {
    this.journal ??= this.store.openJournal(this.sessionId).then(
      journal => {
        this.open = journal;
        for (const line of this.early) journal.append(line);
        this.early = [];
        return journal;
      },
      error => this.giveUp(error),
    );
    return this.journal.then(() => undefined);
  }

  /** Everything recorded so far is on the disk, or the trouble has been told. */
  async flush(): Promise<void> {
    this.write(this.text.interrupt());
    const journal = await this.journal;
    if (!journal || this.broken) return;
    await journal.flush().catch(error => this.giveUp(error));
  }

  async close(): Promise<void> {
    this.write(this.text.end());
    await this.flush();
    const journal = await this.journal;
    await journal?.close().catch(error => this.giveUp(error));
  }

  private write(events: readonly SessionEvent[]): void {
    if (this.broken) return;
    for (const line of events.map(event => JSON.stringify(event))) {
      if (this.open) this.open.append(line);
      else this.early.push(line);
    }
  }

  private giveUp(error: unknown): undefined {
    if (this.broken) return;
    this.broken = true;
    this.early = [];
    this.onTrouble(
      `This session is no longer recorded: ${messageOf(error)} It goes on, but cannot be resumed later.`,
    );
  }
}
