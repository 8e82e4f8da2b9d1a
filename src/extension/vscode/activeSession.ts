import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import type { AgentEvent } from '../../protocol/fold/agents.ts';
import type { ApprovalMode, Attachment } from '../../protocol/intentions.ts';
import { emptySession, type SessionState } from '../../protocol/state.ts';
import type { Elsewhere } from '../../protocol/worktree.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import type { Agent } from '../core/session/agent.ts';
import type { Session } from '../core/session/session.ts';
import type { CommandMode, QueueMode } from '../core/session/turns.ts';
import type { Log } from '../platform/log.ts';
import { SessionInUse } from '../platform/storage.ts';
import { OpenSessions } from './openSessions.ts';

/** Remembers across reloads which session was shown. The journal holds the session itself. */
interface LastSession {
  read(): string | undefined;
  write(sessionId: string | undefined): void;
}

/** The model that the user chose last: new sessions begin with it. */
export interface ModelChoice {
  read(): string | undefined;
  keep(model: string): void;
}

/**
 * The session that a window shows, of those that it has open. It is made when something is first asked of it, so that
 * checking the panel costs nothing. A session that the user leaves continues in the background.
 */
export class ActiveSession implements Disposable {
  private readonly last: LastSession;
  private readonly preview: () => Pick<SessionState, 'folders' | 'model' | 'mode'>;
  private readonly notify: (sentence: string) => void;
  private readonly log: Log;
  private readonly choice: ModelChoice | undefined;
  private readonly events = new Emitter<SessionEvent>();
  private readonly agentEvents = new Emitter<AgentEvent>();
  private readonly switched = new Emitter<void>();
  private session: Session | undefined;
  private subscription: Disposable | undefined;
  /** Changes of the session happen one after the other. */
  private changes: Promise<unknown> = Promise.resolve();
  private restored = false;

  /** Moves a session in which nothing was asked where the settings want it, before its first prompt. */
  placeNew: (() => Promise<void>) | undefined;
  /** The newest session that was begun in a place of the user's choice. */
  placedId: string | undefined;
  /** Shows the session of before the reload where the background host has it; false where not. Never rejects. */
  showHosted: ((sessionId: string) => Promise<boolean>) | undefined;
  /** The shown session is brought back after a reload. */
  isRemembered = true;
  /** All that the window has open, the shown one among them. */
  readonly opened: OpenSessions;
  /** Events of whichever session is shown. */
  readonly onEvent = this.events.event;
  /** Events of the subagents of whichever session is shown. */
  readonly onAgentEvent = this.agentEvents.event;
  /** Another session is shown, or none; `state` is a different one. */
  readonly onDidSwitch = this.switched.event;

  /**
   * @param preview the state that a session would start with before it is made
   * @param notify takes a sentence for the user
   * @param choice absent: each session begins with what `preview` says
   */
  constructor(
    agent: () => Promise<Agent>,
    last: LastSession,
    preview: () => Pick<SessionState, 'folders' | 'model' | 'mode'>,
    notify: (sentence: string) => void,
    log: Log,
    choice?: ModelChoice,
  ) {
    this.last = last;
    this.choice = choice;
    this.preview = preview;
    this.notify = notify;
    this.log = log;
    this.opened = new OpenSessions(agent);
    // One that came to rest in the background may be one too many.
    this.opened.onNews(({ kind, session }) => {
      if (kind !== 'ended') return;
      if (session !== this.session) void session.reviewSessions();
      this.trim();
    });
  }

  get state(): SessionState {
    return this.session?.state ?? this.blank;
  }

  /** The state of a session that is not made yet. */
  get blank(): SessionState {
    const preview = this.preview();
    return { ...emptySession, ...preview, model: this.choice?.read() ?? preview.model };
  }

  /** The session, if there is one already. */
  get present(): Session | undefined {
    return this.session;
  }

  /** The id of the session that is shown, or will be once it is brought back. */
  get presentId(): string | undefined {
    return this.restored ? this.session?.id : this.last.read();
  }

  get isBusy(): boolean {
    return this.session?.busy ?? false;
  }

  /** Brings back the session of before the reload; does nothing after the first time. */
  restore(): Promise<void> {
    return this.inOrder(() => this.restoreLast());
  }

  /** The shown session; the last one is brought back, or a new one made. */
  open(): Promise<Session> {
    return this.inOrder(async () => {
      await this.restoreLast();
      if (this.session) return this.session;
      const session = await this.opened.create();
      const model = this.choice?.read();
      if (model !== undefined && model !== session.state.model) session.setModel(model);
      this.show(session);
      return session;
    });
  }

  /** Loads what the next prompt needs while it is typed; shows and sends nothing. */
  getReady(): Promise<void> {
    return (this.session ?? this.opened).getReady();
  }

  /** After a reload no session is brought back. */
  forgetLast(): void {
    this.last.write(undefined);
  }

  /** After a reload this one is brought back, if the side bar has it. */
  remember(sessionId: string | undefined): void {
    if (this.isRemembered) this.last.write(sessionId);
  }

  /** After a reload this one is not brought back. */
  forget(sessionId: string): void {
    if (this.last.read() === sessionId) this.last.write(undefined);
  }

  /** A session of before the reload cannot be opened, and its page shows a new one. */
  reportRefused(error: unknown): void {
    this.log.warn(`A session could not be opened again: ${messageOf(error)}`);
    if (error instanceof SessionInUse) this.notify(error.message);
  }

  /** Leaves the shown session, which continues in the background; the next prompt starts another. */
  startNew(): Promise<void> {
    return this.switchTo(undefined);
  }

  /** A new session, which an agent of another maker drives. */
  startWith(driver: string): Promise<void> {
    return this.inOrder(async () => {
      this.restored = true;
      this.show(await this.opened.create(undefined, driver));
    });
  }

  /**
   * At once when it is open. Rejects when there is no such session; the shown one then stays.
   * @param sessionId `undefined`: a new one
   */
  switchTo(sessionId: string | undefined): Promise<void> {
    return this.inOrder(async () => {
      if (this.restored && this.session?.id === sessionId) return;
      const next = sessionId === undefined ? undefined : await this.opened.open(sessionId);
      this.restored = true;
      void this.session?.reviewSessions();
      this.show(next);
    });
  }

  /**
   * The shown session works there from now on; one in which nothing was asked begins there.
   * @param place absent: in the folders of the workspace
   */
  moveTo(place: Elsewhere | undefined): Promise<void> {
    return this.inOrder(async () => {
      const { session, opened } = this;
      this.restored = true;
      if (session && session.state.title !== '') return this.show(await opened.move(session, place));
      const next = await opened.create(place, session?.state.driver?.name);
      const { mode, model } = session?.state ?? next.state;
      next.setMode(mode);
      next.setModel(session ? model : (this.choice?.read() ?? model));
      this.placedId = next.id;
      return this.show(next);
    });
  }

  /** Stops a session and leaves it on the disk; none is shown after that if it was the shown one. */
  closeSession(sessionId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.session?.id === sessionId) this.show(undefined);
      this.forget(sessionId);
      await this.opened.close(sessionId, 'other');
    });
  }

  /**
   * Resolves when the agent rests. While it works already the prompt waits for the end of the turn: `undefined`.
   * @param wording what the model reads in place of the text
   */
  send(text: string, attachments: readonly Attachment[], wording?: string): Promise<TurnEnd | undefined> {
    return this.submitPrompt(text, attachments, 'next', wording);
  }

  /**
   * Submits a prompt; see `Session.submitPrompt` for the meaning of `how` while the agent works. While it rests the
   * prompt is sent at once.
   */
  async submitPrompt(
    text: string,
    attachments: readonly Attachment[],
    how: QueueMode,
    wording?: string,
  ): Promise<TurnEnd | undefined> {
    const session = await this.begin();
    this.remember(session.id);
    return session.submitPrompt(text, attachments, how, wording);
  }

  /** Runs a command of the user; see `Session.runCommand`. */
  async runCommand(command: string, how: CommandMode): Promise<TurnEnd | undefined> {
    const session = await this.begin();
    this.remember(session.id);
    return session.runCommand(command, how);
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    (await this.open()).setMode(mode);
  }

  async setModel(model: string): Promise<void> {
    (await this.open()).setModel(model);
    this.choice?.keep(model);
  }

  /** Stops all that is open and leaves everything on the disk. */
  async close(): Promise<void> {
    await this.inOrder(() => this.opened.closeAll());
    this.dispose();
  }

  dispose(): void {
    this.subscription?.dispose();
    this.opened.dispose();
    this.events.dispose();
    this.agentEvents.dispose();
    this.switched.dispose();
  }

  private async begin(): Promise<Session> {
    await this.restore();
    await this.placeNew?.();
    return await this.open();
  }

  private async restoreLast(): Promise<void> {
    if (this.restored) return;
    this.restored = true;
    const { last } = this;
    const sessionId = last.read();
    if (sessionId === undefined || (await this.showHosted?.(sessionId))) return;
    try {
      this.show(await this.opened.open(sessionId));
    } catch (error) {
      // Its folder was removed or is damaged: a new session is better than none.
      this.reportRefused(error);
      if (!(error instanceof SessionInUse)) last.write(undefined);
    }
  }

  private show(session: Session | undefined): void {
    this.session = session;
    this.subscription?.dispose();
    this.subscription = session && this.follow(session);
    if (session?.state.title || !session) this.remember(session?.id);
    if (session) this.catchUp(session);
    this.switched.fire();
    this.trim();
  }

  private follow(session: Session): Disposable {
    const store = new DisposableStore();
    store.add(session.onEvent(event => this.events.fire(event)));
    store.add(session.onAgentEvent(reported => this.agentEvents.fire(reported)));
    return store;
  }

  /** While it was not shown nobody told it what the user wrote into files that wait for review. */
  private catchUp({ changes: { ledger } }: Session): void {
    for (const path of ledger.paths) {
      ledger.catchUp(path).catch(error => this.log.error(`The review of ${path} is not up to date`, error));
    }
  }

  /** Switching sessions does not wait for it. */
  private trim(): void {
    this.opened
      .trim(this.session)
      .catch(error => this.log.error('A session that rests could not be closed', error));
  }

  private inOrder<T>(change: () => Promise<T>): Promise<T> {
    const result = this.changes.then(change);
    // The caller hears of a failure; the next change comes about all the same.
    this.changes = result.catch(() => undefined);
    return result;
  }
}
