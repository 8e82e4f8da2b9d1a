import type { ApprovalMode, Attachment, SessionEvent, TurnEnd } from '../../protocol/events.ts';
import { emptySession, type SessionState } from '../../protocol/state.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { Agent } from '../core/agent.ts';
import type { SessionEndReason } from '../core/hooks/sessionHooks.ts';
import type { Session } from '../core/session/session.ts';
import type { QueueHow } from '../core/session/turns.ts';
import type { Log } from '../platform/log.ts';

/** Remembers across reloads which session was open. The journal holds the session itself. */
export interface LastSession {
  read(): string | undefined;
  write(sessionId: string | undefined): void;
}

export interface ActiveSessionParts {
  readonly agent: () => Promise<Agent>;
  readonly last: LastSession;
  /** What a session that is not made yet would start with. */
  readonly preview: () => Pick<SessionState, 'folders' | 'model' | 'mode'>;
  readonly log: Log;
}

/**
 * The one session that a window shows. It is made when something is first asked of it, so that looking at the
 * panel costs nothing. Switching ends what the session before it was doing.
 */
export class ActiveSession implements Disposable {
  private readonly parts: ActiveSessionParts;
  private readonly events = new Emitter<SessionEvent>();
  private readonly switched = new Emitter<void>();
  private session: Session | undefined;
  private subscription: Disposable | undefined;
  /** Changes of the session happen one after the other. */
  private changes: Promise<unknown> = Promise.resolve();
  private restored = false;

  /** Of whichever session is open. */
  readonly onEvent = this.events.event;
  /** Another session is open, or none; `state` is a different one. */
  readonly onDidSwitch = this.switched.event;

  constructor(parts: ActiveSessionParts) {
    this.parts = parts;
  }

  get state(): SessionState {
    return this.session?.state ?? { ...emptySession, ...this.parts.preview() };
  }

  /** The session, if there is one already. */
  get present(): Session | undefined {
    return this.session;
  }

  get isBusy(): boolean {
    return this.session?.busy ?? false;
  }

  /** Brings back the session of before the reload; does nothing after the first time. */
  restore(): Promise<void> {
    return this.inOrder(() => this.restoreLast());
  }

  /** The open session; the last one is brought back, or a new one made. */
  open(): Promise<Session> {
    return this.inOrder(async () => {
      await this.restoreLast();
      if (this.session) return this.session;
      const agent = await this.parts.agent();
      const session = agent.newSession();
      this.show(session);
      return session;
    });
  }

  /** Leaves the open session; the next prompt starts another. */
  startNew(): Promise<void> {
    return this.inOrder(async () => {
      this.restored = true;
      await this.leave('clear');
      this.show(undefined);
    });
  }

  /** Rejects when there is no such session; the open one then stays. */
  switchTo(sessionId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.session?.id === sessionId) return;
      this.restored = true;
      const agent = await this.parts.agent();
      const next = await agent.openSession(sessionId);
      await this.leave('other');
      this.show(next);
    });
  }

  /**
   * Resolves when the agent rests. While it works already the prompt waits for the end of the turn: `undefined`.
   * @param wording what the model reads in place of the text
   */
  send(text: string, attachments: readonly Attachment[], wording?: string): Promise<TurnEnd | undefined> {
    return this.queue(text, attachments, 'next', wording);
  }

  /** What `how` means while the agent works, see `Session.queue`; while it rests the prompt is sent at once. */
  async queue(
    text: string,
    attachments: readonly Attachment[],
    how: QueueHow,
    wording?: string,
  ): Promise<TurnEnd | undefined> {
    const session = await this.open();
    this.parts.last.write(session.id);
    return session.queue(text, attachments, how, wording);
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    (await this.open()).setMode(mode);
  }

  async setModel(model: string): Promise<void> {
    (await this.open()).setModel(model);
  }

  /** Stops the agent and leaves everything on the disk. */
  async close(): Promise<void> {
    await this.inOrder(() => this.leave('exit'));
    this.dispose();
  }

  dispose(): void {
    this.subscription?.dispose();
    this.events.dispose();
    this.switched.dispose();
  }

  private async restoreLast(): Promise<void> {
    if (this.restored) return;
    this.restored = true;
    const sessionId = this.parts.last.read();
    if (sessionId === undefined) return;
    try {
      const agent = await this.parts.agent();
      this.show(await agent.openSession(sessionId));
    } catch (error) {
      // Its folder was removed or is damaged: a new session is better than none.
      this.parts.log.warn(`The last session could not be opened again: ${String(error)}`);
      this.parts.last.write(undefined);
    }
  }

  private show(session: Session | undefined): void {
    this.session = session;
    this.subscription?.dispose();
    this.subscription = session?.onEvent(event => this.events.fire(event));
    if (session?.state.title || !session) this.parts.last.write(session?.id);
    this.switched.fire();
  }

  private async leave(reason: SessionEndReason): Promise<void> {
    await this.session?.dispose(reason);
    this.session = undefined;
  }

  private inOrder<T>(change: () => Promise<T>): Promise<T> {
    const result = this.changes.then(change);
    // Who asked for the change hears of its failure; the next change must come about all the same.
    this.changes = result.catch(() => undefined);
    return result;
  }
}
