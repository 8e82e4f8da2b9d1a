import type { BackgroundSession, BackgroundStatus, RunOrder } from '../../../protocol/background.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { titleFromPrompt } from '../../../protocol/fold/reduceControl.ts';
import { isUnfinished } from '../../../protocol/fold/unfinished.ts';
import { describeOpenSessions } from '../../../protocol/panel/openFacts.ts';
import { openStatusOf } from '../../../protocol/panel/sessions.ts';
import { rewindPoints } from '../../../protocol/state.ts';
import { whenAborted } from '../../base/abort.ts';
import { Emitter } from '../../base/emitter.ts';
import { readJournals } from '../../core/recording/readEvents.ts';
import { readSession } from '../../core/recording/restore.ts';
import type { Session } from '../../core/session/session.ts';
import { NodeSessionStore } from '../../node/sessions/nodeSessionStore.ts';
import { SessionInUseError } from '../../platform/storage.ts';
import { resolvePrompt } from '../answerPrompt.ts';
import { type HeadlessArguments, parseArguments, UsageError } from '../arguments.ts';
import { type BegunSession, beginSession } from '../beginSession.ts';
import type { RecordedSession } from '../client/hostFolder.ts';
import { openEarlierSession } from '../earlierSession.ts';
import { type HeadlessAgent, openHeadlessAgent } from '../headlessAgent.ts';
import { sessionsFolder } from '../runPlace.ts';
import { StreamInput, type StreamPromptHandler } from '../streamInput.ts';

/** Number of attempts to open a journal that another process holds, once nobody is left who might close it. */
const patience = 2;

/** Time limit for memory proposals of a session at rest. */
const reviewMs = 30_000;

interface Made extends BegunSession {
  readonly made: HeadlessAgent;
}

interface Opened {
  readonly made: HeadlessAgent;
  readonly session: Session;
  readonly input: StreamInput;
}

/**
 * A session in the background host:
 *
 *     coming ─► queued ─► working, or waiting for the user ─► at rest, and removed
 *        └─────────┴──────────────┴───► closed, for a client that takes it over or stops it
 */
export class HostedSession {
  private readonly args: HeadlessArguments;
  /** The environment of the client that ordered it. */
  readonly env: RunOrder['env'];
  private readonly warn: (sentence: string) => void;
  private readonly changed = new Emitter<void>();
  private readonly happened = new Emitter<EmittedEvent>();
  private readonly left = new Emitter<void>();
  private readonly closing = new AbortController();
  /** Aborts when the session is open, or cannot be opened. */
  private readonly opening = new AbortController();
  private opened: Opened | undefined;
  private progress: 'waits' | 'works' | 'rests' = 'waits';
  /** Events since the last turn ended. The journal contains a streamed line of an answer only when it is complete. */
  private live: EmittedEvent[] = [];
  private recorded: RecordedSession;

  /** Fires when status or title change. */
  readonly onDidChange = this.changed.event;
  readonly onEvent = this.happened.event;
  /** Fires when its journal is closed. */
  readonly onDidClose = this.left.event;

  /** Throws `UsageError`. @param warn receives a message for the log */
  constructor(recorded: RecordedSession, env: RunOrder['env'], warn: (sentence: string) => void) {
    this.recorded = recorded;
    this.env = env;
    this.warn = warn;
    this.args = argumentsOf(recorded);
  }

  get record(): RecordedSession {
    return { ...this.recorded, folders: this.folders };
  }

  get sessionId(): string | undefined {
    return this.recorded.sessionId;
  }

  get status(): BackgroundStatus {
    if (!this.opened) return 'coming';
    if (this.progress === 'waits') return 'queued';
    const status = openStatusOf(this.opened.session.state);
    // It also counts as working between turns.
    return this.progress === 'rests' || status === 'waiting' ? status : 'working';
  }

  get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  /** Its worktree is not set up yet, so its prompt has not been sent. */
  get isSetUpDue(): boolean {
    return Boolean(this.recorded.setUp);
  }

  /** The maximum of parallel sessions in its settings. `undefined` if not yet known. */
  get maxParallel(): number | undefined {
    return this.opened?.made.maxParallel;
  }

  get listed(): BackgroundSession {
    const { sessionId = '', title, worktree } = this.recorded;
    const { session } = this.opened ?? {};
    const facts = session && describeOpenSessions([session])[0];
    return { sessionId, title, status: this.status, folders: this.folders, worktree: worktree?.name, facts };
  }

  /** Windows use them to find the sessions of their workspace. */
  private get folders(): string[] {
    return [...(this.recorded.folders ?? [this.args.workspace])];
  }

  /**
   * Resolves when the session is open here and nowhere else. Throws a user-facing message if that is impossible.
   * @param giver aborts once nobody is left who might close it elsewhere
   */
  async open(giver: AbortSignal): Promise<void> {
    try {
      this.follow(await this.make(giver));
    } finally {
      this.opening.abort();
    }
  }

  private async make(giver: AbortSignal): Promise<Made> {
    const { args, env, recorded, warn } = this;
    const host = { interactive: true, notify: warn, env, folders: recorded.folders };
    const made = await openHeadlessAgent(args, host);
    try {
      if (!made.trusted) throw new UsageError('The workspace is restricted: nothing runs there.');
      await made.servers.start(this.closing.signal);
      const begun = await this.find(made, giver);
      if (!this.isClosing) return { made, ...begun };
      await begun.session.dispose('other');
      throw new Error('It was stopped before it was open.');
    } catch (error) {
      await made.dispose();
      throw error;
    }
  }

  /** Continues the session until it rests. Never rejects. */
  async work(): Promise<void> {
    const { opened } = this;
    if (!opened) return;
    this.progress = 'works';
    this.changed.fire();
    try {
      await this.goOn(opened);
    } catch (error) {
      this.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    do {
      await opened.input.rest();
      if (this.isClosing) break;
      const limit = AbortSignal.any([this.closing.signal, AbortSignal.timeout(reviewMs)]);
      await opened.session.reviewSessions(limit);
      // A client may have sent a prompt in the meantime.
    } while (!opened.input.isAtRest);
    this.progress = 'rests';
  }

  /** Stops the session and saves everything. Resolves to true if it was interrupted. */
  async close(): Promise<boolean> {
    const goesOn = this.progress === 'waits' || (this.opened?.session.busy ?? true);
    this.closing.abort();
    await whenAborted(this.opening.signal);
    const { opened } = this;
    if (opened) {
      await opened.session.dispose('other');
      await opened.made.dispose();
    }
    this.left.fire();
    return goesOn;
  }

  /** Also resolves if it cannot be opened. */
  async whenOpen(): Promise<void> {
    await whenAborted(this.opening.signal);
  }

  /** All events up to this call. */
  async readEvents(): Promise<readonly EmittedEvent[]> {
    await this.whenOpen();
    const { opened, args } = this;
    if (!opened) return [];
    const live = [...this.live];
    const store = new NodeSessionStore(sessionsFolder(args, opened.made.home));
    const isThere = await isStored(store, opened.session.id);
    const past = isThere ? readSession(await readJournals(store, opened.session.id)).reported : [];
    const [first] = live;
    const before = first ? past.filter(each => eventOf(each).seq < eventOf(first).seq) : past;
    return [...before, ...live];
  }

  /**
   * Handles an intent, as from standard input.
   * @param refuse called with the reason if it was not carried out, possibly later
   */
  handleLine(line: string, refuse: (reason: string) => void): void {
    const { input } = this.opened ?? {};
    if (input && this.progress !== 'rests' && !this.isClosing) input.handleLine(line, refuse);
    else refuse('The session has ended here.');
  }

  private async find(made: HeadlessAgent, giver: AbortSignal): Promise<BegunSession> {
    const { args, closing, recorded } = this;
    const handleEvent = (reported: EmittedEvent) => this.handleEvent(reported);
    const { resume } = args;
    const { worktree, container, setUp = '' } = recorded;
    if (resume === undefined) return await beginSession(args, made, handleEvent, this.warn);
    if (await this.hasLeftNothing(resume, made))
      return { session: made.agent.newSession(handleEvent, { place: worktree ?? container }), setUp };
    for (let tries = 0; ; ) {
      closing.signal.throwIfAborted();
      try {
        const session = await openEarlierSession(made.agent, resume, args.workspace, handleEvent);
        return { session, setUp };
      } catch (error) {
        const isInUse = error instanceof UsageError && error.cause instanceof SessionInUseError;
        if (giver.aborted) tries++;
        if (!isInUse || tries >= patience) throw error;
      }
    }
  }

  /** True if its host was killed before its first prompt was saved. */
  private async hasLeftNothing(sessionId: string, { home }: HeadlessAgent): Promise<boolean> {
    const { args, recorded } = this;
    if (recorded.due === undefined && recorded.args.includes('--resume')) return false;
    return !(await isStored(new NodeSessionStore(sessionsFolder(args, home)), sessionId));
  }

  private follow({ made, session, setUp }: Made): void {
    const { args, recorded } = this;
    const answer: StreamPromptHandler = async (text, attachments) =>
      (await resolvePrompt(text, made, attachments))(session, this.runContext(made));
    const { prompts = rewindPoints(session.state).length } = recorded;
    const { worktree, container } = session.state;
    // Until the first prompt is saved, the list names the session by it, also if the host is killed.
    const title = session.state.title || titleFromPrompt(this.args.prompt ?? '');
    this.recorded = { ...recorded, sessionId: session.id, title, prompts, worktree, container, setUp };
    this.opened = { made, session, input: new StreamInput(session, answer) };
    const { mode } = args;
    // A new session that a client can answer never starts in `yolo`, unless the command line requests it.
    if (mode !== undefined && mode !== session.state.mode) session.setMode(mode);
    this.changed.fire();
  }

  private async goOn({ made, session, input }: Opened): Promise<unknown> {
    const { state } = session;
    const { prompt = this.recorded.due } = this.args;
    if (this.isSetUpDue) await this.setUp(session);
    if (this.isClosing) return;
    if (prompt !== undefined && rewindPoints(state).length <= (this.recorded.prompts ?? 0))
      return await (await resolvePrompt(prompt, made))(session, this.runContext(made));
    if (isUnfinished(state)) return await session.retry();
    const [waiting] = state.queue;
    return waiting ? await session.sendQueuedNow(waiting.id) : await input.rest();
  }

  /** After a kill the next host repeats the setup, which may be incomplete. */
  private async setUp(session: Session): Promise<void> {
    await session.runCommand(this.recorded.setUp ?? '', 'setUp');
    if (this.isClosing) return;
    const prompts = rewindPoints(session.state).length;
    this.recorded = { ...this.recorded, setUp: '', prompts };
    this.changed.fire();
  }

  private runContext(made: HeadlessAgent) {
    const { warn, closing } = this;
    return { made, notify: warn, warn, signal: closing.signal };
  }

  private handleEvent(reported: EmittedEvent): void {
    this.live.push(reported);
    if (!isAgentEvent(reported) && reported.type === 'turn.ended') this.live = [];
    this.happened.fire(reported);
    const { opened } = this;
    if (!opened) return;
    const { title } = opened.session.state;
    if (title !== '' && title !== this.recorded.title) this.recorded = { ...this.recorded, title };
    if (changesStatus(reported)) this.changed.fire();
  }
}

async function isStored(store: NodeSessionStore, wanted: string): Promise<boolean> {
  return (await store.list()).some(({ sessionId }) => sessionId === wanted);
}

/** Text deltas arrive by the hundred, and change neither title nor status. */
function changesStatus(reported: EmittedEvent): boolean {
  const { type } = isAgentEvent(reported) ? reported.event : reported;
  return !type.endsWith('.appended');
}

/** Returns what a new order for a session of a killed host inherits. A prompt in the order replaces the earlier one. */
export function inheritFromRecord(
  recorded: RecordedSession,
  { args, cwd }: Pick<RunOrder, 'args' | 'cwd'>,
): Partial<RecordedSession> {
  const { title, worktree, container, setUp, prompts } = recorded;
  const given = parseIn(cwd, args);
  if (given === 'help' || given.prompt !== undefined) return { title, worktree, container, setUp };
  const { prompt: due = recorded.due } = argumentsOf(recorded);
  return { title, worktree, container, setUp, prompts, due };
}

/** Includes the session's id if it has begun. */
function argumentsOf({ args, cwd, sessionId }: RecordedSession): HeadlessArguments {
  const parsed = parseIn(cwd, args);
  if (parsed === 'help') throw new UsageError('This is no run.');
  if (!parsed.trusted) throw new UsageError('A restricted workspace has no session in the background.');
  if (sessionId === undefined) return parsed;
  return { ...parsed, resume: sessionId, worktree: undefined };
}

/** Resolves relative paths from the client's folder. Synchronous, so the changed folder is not visible elsewhere. */
function parseIn(cwd: string, args: readonly string[]): HeadlessArguments | 'help' {
  const own = process.cwd();
  process.chdir(cwd);
  try {
    return parseArguments(args);
  } finally {
    process.chdir(own);
  }
}
