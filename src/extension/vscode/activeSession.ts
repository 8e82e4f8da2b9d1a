import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import type { AgentEvent } from '../../protocol/fold/agents.ts';
import type { ApprovalMode, Attachment } from '../../protocol/intentions.ts';
import { emptySession, type SessionState } from '../../protocol/state.ts';
import type { IsolatedPlace } from '../../protocol/worktree.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import type { Session } from '../core/session/session.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import type { CommandTiming, QueueMode } from '../core/session/turns.ts';
import type { Log } from '../platform/log.ts';
import { SessionInUseError } from '../platform/storage.ts';
import { OpenSessions } from './openSessions.ts';

/** Stores the id of the shown session across reloads. The journal holds the session itself. */
interface LastSession {
  read(): string | undefined;
  write(sessionId: string | undefined): void;
}

/** The model that the user chose last. New sessions begin with it. */
export interface LastModelStore {
  read(): string | undefined;
  keep(model: string): void;
}

/**
 * The session that a window shows, one of those it has open. Created on first use, so that the panel alone costs
 * nothing. A session that the user leaves continues in the background.
 */
export class ActiveSession implements Disposable {
  private readonly last: LastSession;
  private readonly preview: () => Pick<SessionState, 'folders' | 'model' | 'mode'>;
  private readonly notify: (sentence: string) => void;
  private readonly log: Log;
  private readonly choice: LastModelStore | undefined;
  private readonly events = new Emitter<SessionEvent>();
  private readonly agentEvents = new Emitter<AgentEvent>();
  private readonly switched = new Emitter<void>();
  private session: Session | undefined;
  private subscription: Disposable | undefined;
  /** Serializes changes of the session. */
  private changes: Promise<unknown> = Promise.resolve();
  private restored = false;

  /** Moves a session without prompts to the place that the settings ask for, before its first prompt. */
  placeNew: (() => Promise<void>) | undefined;
  /** The newest session that was started in a place of the user's choice. */
  placedId: string | undefined;
  /**
   * Shows the session from before the reload if the background host has it, else resolves with `false`. Never rejects.
   */
  showHosted: ((sessionId: string) => Promise<boolean>) | undefined;
  /** True if the shown session is restored after a reload. */
  isRemembered = true;
  /** All open sessions of the window, including the shown one. */
  readonly opened: OpenSessions;
  /** Events of the shown session. */
  readonly onEvent = this.events.event;
  /** Events of the shown session's subagents. */
  readonly onAgentEvent = this.agentEvents.event;
  /** Fires when another session is shown, or none. `state` has changed. */
  readonly onDidSwitch = this.switched.event;

  /**
   * @param preview the initial state of a session before it is created
   * @param notify shows the user a sentence
   * @param choice absent: each session begins with `preview`
   */
  constructor(
    agent: () => Promise<SessionManager>,
    last: LastSession,
    preview: () => Pick<SessionState, 'folders' | 'model' | 'mode'>,
    notify: (sentence: string) => void,
    log: Log,
    choice?: LastModelStore,
  ) {
    this.last = last;
    this.choice = choice;
    this.preview = preview;
    this.notify = notify;
    this.log = log;
    this.opened = new OpenSessions(agent);
    // A session that ended in the background may exceed the limit of open ones.
    this.opened.onNews(({ kind, session }) => {
      if (kind !== 'ended') return;
      if (session !== this.session) void session.reviewSessions();
      this.trim();
    });
  }

  get state(): SessionState {
    return this.session?.state ?? this.blank;
  }

  /** The state of a session that is not created yet. */
  get blank(): SessionState {
    const preview = this.preview();
    return { ...emptySession, ...preview, model: this.choice?.read() ?? preview.model };
  }

  /** The session, if it exists already. */
  get present(): Session | undefined {
    return this.session;
  }

  /** The id of the session that is shown, or will be once it is restored. */
  get presentId(): string | undefined {
    return this.restored ? this.session?.id : this.last.read();
  }

  get isBusy(): boolean {
    return this.session?.busy ?? false;
  }

  /** Restores the session from before the reload. Does nothing on later calls. */
  restore(): Promise<void> {
    return this.inOrder(() => this.restoreLast());
  }

  /** Returns the shown session. Restores the last one or creates a new one if needed. */
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

  /** Preloads what the next prompt needs while the user types. Shows and sends nothing. */
  getReady(): Promise<void> {
    return (this.session ?? this.opened).getReady();
  }

  /** Restores no session after a reload. */
  forgetLast(): void {
    this.last.write(undefined);
  }

  /** Restores this session after a reload, if the side bar shows it. */
  remember(sessionId: string | undefined): void {
    if (this.isRemembered) this.last.write(sessionId);
  }

  /** Does not restore this session after a reload. */
  forget(sessionId: string): void {
    if (this.last.read() === sessionId) this.last.write(undefined);
  }

  /** Reports that a session from before the reload cannot be opened. Its page shows a new one. */
  reportRefused(error: unknown): void {
    this.log.warn(`A session could not be opened again: ${messageOf(error)}`);
    if (error instanceof SessionInUseError) this.notify(error.message);
  }

  /** Leaves the shown session, which continues in the background. The next prompt starts another. */
  startNew(): Promise<void> {
    return this.switchTo(undefined);
  }

  /** Starts a session that a third-party agent drives. */
  startWith(driver: string): Promise<void> {
    return this.inOrder(async () => {
      this.restored = true;
      this.show(await this.opened.create(undefined, driver));
    });
  }

  /**
   * Immediate if it is open. Rejects if there is no such session; the shown one then stays.
   * @param sessionId `undefined` for a new one
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
   * Moves the shown session to another place. A session without prompts begins there.
   * @param place absent for the workspace folders
   */
  moveTo(place: IsolatedPlace | undefined): Promise<void> {
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

  /** Stops a session and flushes its journal. If it was the shown one, none is shown after that. */
  closeSession(sessionId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.session?.id === sessionId) this.show(undefined);
      this.forget(sessionId);
      await this.opened.close(sessionId, 'other');
    });
  }

  /**
   * Resolves when the agent rests, or with `undefined` at once if the prompt waits for the running turn to end.
   * @param wording text for the model in place of `text`
   */
  send(text: string, attachments: readonly Attachment[], wording?: string): Promise<TurnEnd | undefined> {
    return this.submitPrompt(text, attachments, 'next', wording);
  }

  /** Submits a prompt, immediately if the agent rests. See `Session.submitPrompt` for `how` while it works. */
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

  /** Runs a shell command of the user; see `Session.runCommand`. */
  async runCommand(command: string, how: CommandTiming): Promise<TurnEnd | undefined> {
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

  /** Stops all open sessions and flushes their journals. */
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
      if (!(error instanceof SessionInUseError)) last.write(undefined);
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

  /** While the session was hidden, nobody reported the user's edits of files under review. */
  private catchUp({ changes: { ledger } }: Session): void {
    for (const path of ledger.paths) {
      ledger.catchUp(path).catch(error => this.log.error(`The review of ${path} is not up to date`, error));
    }
  }

  /** Runs without delaying the switch. */
  private trim(): void {
    this.opened
      .trim(this.session)
      .catch(error => this.log.error('A session that rests could not be closed', error));
  }

  private inOrder<T>(change: () => Promise<T>): Promise<T> {
    const result = this.changes.then(change);
    // The caller gets the rejection. The next change runs anyway.
    this.changes = result.catch(() => undefined);
    return result;
  }
}
