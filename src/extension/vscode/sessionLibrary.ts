import type { BackgroundSession } from '../../protocol/background.ts';
import type { SessionEntry } from '../../protocol/panel/sessions.ts';
import { openStatusOf } from '../../protocol/panel/sessions.ts';
import type { SessionState } from '../../protocol/state.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { sanitiseLine } from '../base/text.ts';
import type { SavedChat } from '../core/commands/chats.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import type { ActiveSession } from './activeSession.ts';

/** Time of the last archiving in milliseconds since the Unix epoch, stored across reloads. */
interface Tidied {
  read(): number | undefined;
  write(at: number): void;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Longer titles are cut, like the agent's. */
export const sessionTitleLimit = 80;

/** Every session of the workspace. Open ones answer from memory, others from disk. */
export class SessionLibrary implements Disposable {
  private readonly session: ActiveSession;
  private readonly agent: () => Promise<SessionManager>;
  private readonly retentionDays: () => number;
  private readonly tidied: Tidied;
  private readonly changed = new Emitter<void>();
  /** Serialized, so that an immediate undo of a deletion finds it done. */
  private changes: Promise<unknown> = Promise.resolve();
  private background: (() => readonly BackgroundSession[]) | undefined;
  /** Fires when a session was renamed, deleted or restored, so that lists are outdated. */
  readonly onDidChange = this.changed.event;

  /** @param retentionDays days until a session goes to the trash; 0 for never */
  constructor(
    session: ActiveSession,
    agent: () => Promise<SessionManager>,
    retentionDays: () => number,
    tidied: Tidied,
  ) {
    this.session = session;
    this.agent = agent;
    this.retentionDays = retentionDays;
    this.tidied = tidied;
  }

  async list(
    query: string,
  ): Promise<{ readonly sessions: readonly SessionEntry[]; readonly limited: boolean }> {
    const { opened } = this.session;
    const { sessions, limited } = await (await this.agent()).catalog.list(query);
    const withStatus = (entry: SessionEntry): SessionEntry => {
      const open = opened.find(entry.sessionId);
      const hosted = this.background?.().find(each => each.sessionId === entry.sessionId);
      if (hosted && !open) return { ...entry, background: hosted.status };
      return open ? { ...entry, status: openStatusOf(open.state) } : entry;
    };
    return { sessions: sessions.map(withStatus), limited };
  }

  /** Marks those that run in the background host. */
  follow(background: {
    readonly sessions: readonly BackgroundSession[];
    readonly onDidChange: Event<void>;
  }): void {
    this.background = () => background.sessions;
    background.onDidChange(() => this.changed.fire());
  }

  /** Sessions that the user named, newest first. */
  async named(): Promise<readonly SavedChat[]> {
    const named = await (await this.agent()).catalog.named();
    return named.map(({ sessionId, changedAt, title }) => ({ sessionId, changedAt, name: title }));
  }

  /** Copies a session with its conversation so far, under a name. */
  copy(sessionId: string, name: string): Promise<void> {
    return this.inOrder(async () => {
      await (await this.agent()).catalog.copy(sessionId, name);
    });
  }

  /** Rejects if there is no such session. */
  async read(sessionId: string): Promise<SessionState> {
    const open = this.session.opened.find(sessionId);
    return open ? open.state : await (await this.agent()).catalog.read(sessionId);
  }

  rename(sessionId: string, title: string): Promise<void> {
    const { opened } = this.session;
    const renameNow = async () => {
      await opened.whenClosed(sessionId);
      const open = opened.find(sessionId);
      if (open) open.rename(sanitiseLine(title, sessionTitleLimit));
      else await (await this.agent()).catalog.rename(sessionId, title);
    };
    return this.inOrder(() => opened.runExclusive(sessionId, renameNow));
  }

  /** Closes it first if it is open here. */
  remove(sessionId: string): Promise<void> {
    const { session, agent } = this;
    return this.inOrder(async () => {
      await session.closeSession(sessionId);
      await session.opened.runExclusive(sessionId, async () => (await agent()).catalog.remove(sessionId));
    });
  }

  /** Does nothing if it is open, since it was then kept after all. */
  bringBack(sessionId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.session.opened.find(sessionId)) return;
      await (await this.agent()).catalog.bringBack(sessionId);
    });
  }

  /** Moves old sessions to the trash, once a day. Never rejects. */
  async tidy(now: number): Promise<void> {
    const { session, agent, retentionDays, tidied } = this;
    if (now - (tidied.read() ?? 0) < dayMs) return;
    tidied.write(now);
    const isOpen = (id: string) => session.opened.find(id) !== undefined;
    await (await agent()).catalog.tidy({ days: retentionDays(), isOpen });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private inOrder(change: () => Promise<void>): Promise<void> {
    const result = this.changes.then(change).then(() => this.changed.fire());
    // The caller gets the rejection. The next change runs anyway.
    this.changes = result.catch(() => undefined);
    return result;
  }
}
