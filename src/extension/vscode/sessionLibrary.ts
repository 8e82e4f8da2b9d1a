import type { BackgroundSession } from '../../protocol/background.ts';
import type { SessionEntry } from '../../protocol/panel/sessions.ts';
import { statusOf } from '../../protocol/panel/sessions.ts';
import type { SessionState } from '../../protocol/state.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { plainLine } from '../base/text.ts';
import type { SavedChat } from '../core/commands/chats.ts';
import type { Agent } from '../core/session/agent.ts';
import type { ActiveSession } from './activeSession.ts';

/** When old sessions were last looked for, milliseconds since the Unix epoch; kept across reloads. */
interface Tidied {
  read(): number | undefined;
  write(at: number): void;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Longer titles are cut, as those of the agent are. */
export const titleLimit = 80;

/** Every session of the workspace: those that are open in this window are asked themselves, others on the disk. */
export class SessionLibrary implements Disposable {
  private readonly session: ActiveSession;
  private readonly agent: () => Promise<Agent>;
  private readonly retentionDays: () => number;
  private readonly tidied: Tidied;
  private readonly changed = new Emitter<void>();
  /** One after the other: who undoes a deletion at once must find it done. */
  private changes: Promise<unknown> = Promise.resolve();
  private background: (() => readonly BackgroundSession[]) | undefined;
  /** One was renamed, deleted or brought back: a list that was told is not true any more. */
  readonly onDidChange = this.changed.event;

  /** @param retentionDays after how many days a session goes to the trash; 0: never */
  constructor(
    session: ActiveSession,
    agent: () => Promise<Agent>,
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
      return open ? { ...entry, status: statusOf(open.state) } : entry;
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

  /** Sessions that the user gave a name, newest first. */
  async named(): Promise<readonly SavedChat[]> {
    const named = await (await this.agent()).catalog.named();
    return named.map(({ sessionId, changedAt, title }) => ({ sessionId, changedAt, name: title }));
  }

  /** A session of its own with all that was said so far, under a name. */
  copy(sessionId: string, name: string): Promise<void> {
    return this.inOrder(async () => {
      await (await this.agent()).catalog.copy(sessionId, name);
    });
  }

  /** Rejects when there is no such session. */
  async read(sessionId: string): Promise<SessionState> {
    const open = this.session.opened.find(sessionId);
    return open ? open.state : await (await this.agent()).catalog.read(sessionId);
  }

  rename(sessionId: string, title: string): Promise<void> {
    const { opened } = this.session;
    const renameNow = async () => {
      await opened.whenClosed(sessionId);
      const open = opened.find(sessionId);
      if (open) open.rename(plainLine(title, titleLimit));
      else await (await this.agent()).catalog.rename(sessionId, title);
    };
    return this.inOrder(() => opened.alone(sessionId, renameNow));
  }

  /** Closes it first if it is open here. */
  remove(sessionId: string): Promise<void> {
    const { session, agent } = this;
    return this.inOrder(async () => {
      await session.closeSession(sessionId);
      await session.opened.alone(sessionId, async () => (await agent()).catalog.remove(sessionId));
    });
  }

  /** Nothing happens when it is open: then it was kept after all. */
  bringBack(sessionId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.session.opened.find(sessionId)) return;
      await (await this.agent()).catalog.bringBack(sessionId);
    });
  }

  /** Puts old sessions away, once a day. Never rejects. */
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
    // The caller hears of a failure; the next change comes about all the same.
    this.changes = result.catch(() => undefined);
    return result;
  }
}
