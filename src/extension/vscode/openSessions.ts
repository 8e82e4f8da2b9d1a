import type { SessionEvent, TurnEnd } from '../../protocol/events.ts';
import { type OpenStatus, openStatusOf } from '../../protocol/panel/sessions.ts';
import type { SessionState } from '../../protocol/state.ts';
import type { IsolatedPlace } from '../../protocol/worktree.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { SessionEndReason } from '../core/hooks/sessionHooks.ts';
import type { Session } from '../core/session/session.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';

/**
 * Number of resting sessions kept in memory besides the shown one. A long one takes some tens of megabytes, and
 * reopening takes less than a second, so a few are enough to switch between. Working or waiting sessions are not
 * counted: only the user ends them.
 */
const restingKept = 3;

/** A closing window gets about five seconds, and processes must be ended after this. */
const closingMs = 4000;

export type SessionNotice =
  | { readonly kind: 'waits'; readonly session: Session }
  | { readonly kind: 'ended'; readonly session: Session; readonly end: TurnEnd };

interface Opened {
  readonly session: Session;
  readonly subscription: Disposable;
  /** As reported last. */
  status: OpenStatus;
  title: string;
  facts: readonly unknown[];
}

interface OfSession {
  readonly session: Session;
  readonly event: SessionEvent;
}

/** A session that the background host has closed for this window. */
export interface HandedBackSession {
  /** Confirms that it is open here now. */
  accept(session: Session): void;
  /** Reports that it cannot be opened here. */
  refuse(): void;
}

/** The sessions that a window has open. Does not know which one is shown. */
export class OpenSessions implements Disposable {
  private readonly agent: () => Promise<SessionManager>;
  /** By id, in the order in which they were last shown. */
  private readonly opened = new Map<string, Opened>();
  /** Sessions being closed, which may take as long as their end hooks. */
  private readonly closing = new Map<string, Promise<void>>();
  /** Operations on stored sessions by id, in sequence: the lock excludes only other processes. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private pinned: readonly string[] = [];
  /** Asks the background host to release a session that runs there. */
  takeBack: ((sessionId: string) => Promise<HandedBackSession | undefined>) | undefined;
  private readonly changed = new Emitter<void>();
  private readonly advanced = new Emitter<Session>();
  private readonly happened = new Emitter<OfSession>();
  private readonly happenedToAgent = new Emitter<OfSession>();
  private readonly news = new Emitter<SessionNotice>();

  /** Fires when sessions open or close, or one has another title or status. */
  readonly onDidChange = this.changed.event;
  /** Fires when facts shown in the history change; never while an answer just grows. */
  readonly onDidAdvance = this.advanced.event;
  /** Events of every open session. */
  readonly onEvent = this.happened.event;
  /** Events of the subagents of every open session. */
  readonly onAgentEvent = this.happenedToAgent.event;
  /** Fires once each time a session waits for the user, or rests after work. */
  readonly onNews = this.news.event;

  constructor(agent: () => Promise<SessionManager>) {
    this.agent = agent;
  }

  get all(): readonly Session[] {
    return [...this.opened.values()].map(({ session }) => session);
  }

  find(sessionId: string | undefined): Session | undefined {
    return sessionId === undefined ? undefined : this.opened.get(sessionId)?.session;
  }

  /** Keeps these open even if they rest. */
  setPinned(sessionIds: readonly string[]): void {
    this.pinned = sessionIds;
  }

  /** Sessions with a prompt, the last shown first. */
  get asked(): readonly Session[] {
    return this.all.filter(({ state }) => state.title !== '').reverse();
  }

  /** Preloads what the first prompt of a new session needs. */
  async getReady(): Promise<void> {
    await (await this.agent()).getReady();
  }

  /**
   * @param place where it works; absent for the workspace
   * @param driver the third-party agent that drives it; absent for Folio's own
   */
  async create(place?: IsolatedPlace, driver?: string): Promise<Session> {
    const session = (await this.agent()).newSession(undefined, { place, driver });
    this.add(session);
    return session;
  }

  /** Moves the session to another place. @param place absent for the workspace */
  async move(session: Session, place: IsolatedPlace | undefined): Promise<Session> {
    session.moveTo(place);
    await this.close(session.id, 'other');
    return this.open(session.id);
  }

  /** Immediate if it is open already. Rejects if there is no such session, or another window has it. */
  open(sessionId: string): Promise<Session> {
    return this.runExclusive(sessionId, async () => {
      const known = this.opened.get(sessionId);
      if (known) {
        this.opened.delete(sessionId);
        this.opened.set(sessionId, known);
        return known.session;
      }
      await this.whenClosed(sessionId);
      const taken = await this.takeBack?.(sessionId);
      try {
        const session = await (await this.agent()).openSession(sessionId);
        this.add(session);
        taken?.accept(session);
        return session;
      } catch (error) {
        taken?.refuse();
        throw error;
      }
    });
  }

  /** Runs `work` while nothing else opens or changes this session on disk. */
  runExclusive<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const result = (this.underWay.get(sessionId) ?? Promise.resolve()).then(work);
    const done = result
      .catch(() => undefined)
      .finally(() => {
        if (this.underWay.get(sessionId) === done) this.underWay.delete(sessionId);
      });
    // The caller gets the rejection. The next action runs anyway.
    this.underWay.set(sessionId, done);
    return result;
  }

  /** Stops the session and flushes its journal. It counts as closed from the moment of the call. */
  close(sessionId: string, reason: SessionEndReason): Promise<void> {
    const opened = this.opened.get(sessionId);
    if (!opened) return this.whenClosed(sessionId);
    this.opened.delete(sessionId);
    const closed = opened.session.dispose(reason).finally(() => {
      // It reported its last events while it stopped.
      opened.subscription.dispose();
      this.closing.delete(sessionId);
    });
    this.closing.set(sessionId, closed);
    this.changed.fire();
    return closed;
  }

  /** Resolves once its journal is closed, at once if it is not being closed. The caller of `close` gets any failure. */
  async whenClosed(sessionId: string): Promise<void> {
    await this.closing.get(sessionId)?.catch(() => {});
  }

  /** Closes resting sessions other than the shown one, except the newest few. */
  async trim(shown: Session | undefined): Promise<void> {
    // The newest may be about to be shown.
    const older = this.all.slice(0, -1);
    const resting = older.filter(
      session => session !== shown && !this.pinned.includes(session.id) && rests(session),
    );
    const untouched = resting.filter(({ state }) => state.title === '');
    const others = resting.filter(({ state }) => state.title !== '');
    const left = [...untouched, ...others.slice(0, Math.max(0, others.length - restingKept))];
    await Promise.all(left.map(({ id }) => this.close(id, 'other')));
  }

  /** Closes all concurrently. A session that takes too long relies on its journal, which lacks only the last events. */
  async closeAll(): Promise<void> {
    const closing = [...this.opened.keys()].map(id => this.close(id, 'exit'));
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>(resolve => {
      timer = setTimeout(resolve, closingMs);
    });
    await Promise.race([Promise.allSettled([...closing, ...this.closing.values()]), tooLong]);
    clearTimeout(timer);
  }

  dispose(): void {
    for (const { subscription } of this.opened.values()) subscription.dispose();
    for (const emitter of [this.changed, this.advanced, this.happened, this.happenedToAgent, this.news])
      emitter.dispose();
  }

  private add(session: Session): void {
    const { state } = session;
    const subscription = new DisposableStore();
    const opened: Opened = {
      session,
      subscription,
      status: openStatusOf(state),
      title: state.title,
      facts: factsIn(state),
    };
    subscription.add(session.onEvent(event => this.hear(opened, event)));
    subscription.add(session.onAgentEvent(({ event }) => this.hearAgent(opened, event)));
    this.opened.set(session.id, opened);
    this.changed.fire();
  }

  private hear(opened: Opened, event: SessionEvent): void {
    const { session } = opened;
    this.happened.fire({ session, event });
    this.note(opened);
    if (event.type === 'turn.ended') this.reportEnd(session, event.end);
  }

  private hearAgent(opened: Opened, event: SessionEvent): void {
    this.happenedToAgent.fire({ session: opened.session, event });
    this.note(opened);
  }

  private note(opened: Opened): void {
    const { session, status, title, facts } = opened;
    opened.status = openStatusOf(session.state);
    opened.title = session.state.title;
    opened.facts = factsIn(session.state);
    if (opened.status !== status || opened.title !== title) this.changed.fire();
    else if (opened.facts.some((fact, index) => fact !== facts[index])) this.advanced.fire(session);
    if (opened.status === 'waiting' && status !== 'waiting') this.news.fire({ kind: 'waits', session });
  }

  /** Deferred: if the next queued prompt begins at once, the session has not ended. */
  private reportEnd(session: Session, end: TurnEnd): void {
    queueMicrotask(() => {
      if (rests(session)) this.news.fire({ kind: 'ended', session, end });
    });
  }
}

/** The parts of a state that `openFacts` reads besides the status. Each is replaced when it changes. */
function factsIn({ activity, reviews, cost, folders, queue, chapters }: SessionState): readonly unknown[] {
  return [activity, reviews, cost, folders, queue, chapters.at(-1)?.title];
}

/** False while a summary is being made, which would be lost, or a prompt waits for a free slot. */
function rests({ state, busy }: Session): boolean {
  const isInLine = state.queue.some(({ ahead }) => ahead !== undefined);
  return !busy && !isInLine && state.activity.status === 'resting' && state.compression?.status !== 'running';
}
