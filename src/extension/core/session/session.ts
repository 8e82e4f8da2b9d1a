/*
 * One conversation. It owns the journal's numbering: every fact goes through `emit`, which records it, folds it
 * into the state and tells the listeners, in this order.
 */

import type { RestoredFile, RewindPoint, RewindScope } from '../../../protocol/changes.ts';
import type {
  ApprovalMode,
  Attachment,
  Message,
  SessionEvent,
  SessionEventBody,
  TurnEnd,
} from '../../../protocol/events.ts';
import { reduce } from '../../../protocol/reduce.ts';
import { activeTopic, emptySession, liveChapter, type SessionState } from '../../../protocol/state.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { Approvals, type Decision } from '../calls/approvals.ts';
import type { CallSurroundings } from '../calls/callRun.ts';
import { declareTool } from '../calls/declarations.ts';
import { Changes } from '../changes/changes.ts';
import { Masking } from '../context/masking.ts';
import type { MemoryBlock } from '../context/memory.ts';
import { History } from '../history/history.ts';
import type { ToolDeclaration } from '../model.ts';
import { PromptFileError } from '../prompt/promptFile.ts';
import { Recorder } from '../recording/recorder.ts';
import { closeOpenCalls } from '../recording/restore.ts';
import type { AnyTool, Proposal } from '../tool.ts';
import { promptParts } from './promptParts.ts';
import { Rewinds } from './rewinds.ts';
import type { SessionFacts, SessionSurroundings } from './surroundings.ts';
import { runTurn, type TurnSurroundings } from './turn.ts';

/** A session as the journal left it, or a new one. */
export interface SessionStart {
  readonly sessionId: string;
  /** What the journal holds, folded and as it is. */
  readonly state?: SessionState;
  readonly past?: readonly SessionEvent[];
  readonly opening: readonly SessionEventBody[];
  /** Hears the opening events too. */
  readonly listener?: (event: SessionEvent) => void;
}

/** Proposals of how many calls are kept for the diff editor. */
const keptProposals = 200;

export class Session {
  readonly id: string;
  /** What this session did to files. */
  readonly changes: Changes;
  private readonly around: SessionSurroundings;
  private readonly events = new Emitter<SessionEvent>();
  private readonly approvals = new Approvals();
  private readonly history = new History();
  private readonly masking: Masking;
  private readonly recorder: Recorder;
  private readonly proposals = new Map<string, Proposal>();
  private readonly tools: ReadonlyMap<string, AnyTool>;
  private readonly rewinds: Rewinds;
  private declared: readonly ToolDeclaration[] | undefined;
  private current: SessionState;
  /** Going back, or undoing that, which nothing may come between. */
  private rewinding: Promise<unknown> | undefined;
  private running: { readonly abort: AbortController; readonly done: Promise<TurnEnd> } | undefined;
  private wakeRetry: (() => void) | undefined;

  /** Emits once for each event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent> = this.events.event;

  constructor(start: SessionStart, around: SessionSurroundings) {
    this.id = start.sessionId;
    this.around = around;
    this.current = start.state ?? emptySession;
    this.recorder = new Recorder(around.store, this.id, text =>
      this.emit({ type: 'notice.shown', level: 'warning', text }),
    );
    const { folders, files, blobs, versionControl, clock, log, store } = around;
    const saveOutput = (name: string, text: string) => store.saveOutput(this.id, name, text);
    this.masking = new Masking({ saveOutput, log });
    this.changes = new Changes({
      ...{ folders, files, blobs, versionControl, clock, log },
      emit: event => this.emit(event),
      recorded: () => this.recorder.flush(),
      chapterId: () => liveChapter(this.current).id,
    });
    this.rewinds = new Rewinds({
      ...{ changes: this.changes, history: this.history, clock },
      state: () => this.current,
      emit: event => this.emit(event),
    });
    const tools = around.tools({
      sessionId: this.id,
      files: this.changes.files,
      startTopic: (title, summary) => this.startTopic(title, summary),
      setTodos: todos => this.emit({ type: 'todos.changed', todos }),
      model: () => this.current.model,
    });
    this.tools = new Map(tools.map(tool => [tool.name, tool]));
    for (const event of start.past ?? []) this.remember(event);
    if (start.past) this.recorder.resume();
    if (start.listener) this.onEvent(start.listener);
    for (const event of start.opening) this.emit(event);
  }

  get state(): SessionState {
    return this.current;
  }

  /** Memory of folders that the agent has worked in. */
  get folderMemory(): readonly MemoryBlock[] {
    return this.around.folderMemory();
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Starts a turn and resolves when the agent rests again. Throws when a turn is running. */
  send(text: string, attachments: readonly Attachment[] = []): Promise<TurnEnd> {
    return this.run(turnId => {
      this.emit({ type: 'turn.started', turnId, text, attachments });
      this.addMessage({ role: 'user', parts: promptParts(text, attachments, this.around.editorContext()) });
    });
  }

  /** Goes on with a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.run(turnId => {
      this.emit({ type: 'turn.retried', turnId });
      // An answer that was cut off stands as the model's; only a word from the user can follow it.
      if (this.history.messages.at(-1)?.role !== 'user') {
        this.addMessage({ role: 'user', parts: [{ kind: 'text', text: 'Go on from where you stopped.' }] });
      }
    });
  }

  /**
   * Resolves when the agent rests; at once when it does already.
   * @param why what the model reads of the calls that did not finish
   */
  async stop(why = 'The person stopped the agent'): Promise<void> {
    this.running?.abort.abort(new DOMException(why, 'AbortError'));
    await this.running?.done;
  }

  /** Ends the pause before a retry. */
  retryNow(): void {
    this.wakeRetry?.();
  }

  /** False when the call does not wait for a decision (any more). */
  decide(callId: string, decision: Decision): boolean {
    return this.approvals.decide(callId, decision);
  }

  setMode(mode: ApprovalMode): void {
    if (mode !== this.current.mode) this.emit({ type: 'mode.changed', mode });
  }

  setModel(model: string): void {
    if (model !== this.current.model) this.emit({ type: 'model.changed', model });
  }

  /** What a call wants or wanted to write; known for the newest calls of this run of the host. */
  proposal(callId: string): Proposal | undefined {
    return this.proposals.get(callId);
  }

  /** What going back to before a prompt or chapter would do to files. Writes nothing. */
  previewRewind(to: RewindPoint): Promise<readonly RestoredFile[]> {
    return this.rewinds.preview(to);
  }

  /** Goes back to before a prompt or chapter. Throws when a turn is running or there is no such place. */
  rewind(to: RewindPoint, scope: RewindScope): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.rewinds.rewind(to, scope));
  }

  /** Takes the newest rewind back. Throws when there is none, or a turn has begun since. */
  undoRewind(): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.rewinds.undo());
  }

  /** Stops and leaves everything on the disk. */
  async dispose(): Promise<void> {
    await this.stop('Folio was closed');
    await this.rewinding;
    await this.changes.ledger.flush();
    await this.recorder.close();
    this.events.dispose();
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    this.assertRests();
    if (this.rewinding) throw new Error('A rewind is going on: wait until it is done.');
    const working = this.recorder.begin().then(work);
    // Who waits for it only wants to know that it is over; its failure reaches the caller.
    this.rewinding = working.catch(() => {});
    try {
      return await working;
    } finally {
      this.rewinding = undefined;
      this.around.forgetEditorContext();
      await this.recorder.flush();
    }
  }

  private run(open: (turnId: string) => void): Promise<TurnEnd> {
    this.assertRests();
    const abort = new AbortController();
    const turnId = this.around.clock.newId();
    const done = this.work(turnId, open, abort.signal);
    this.running = { abort, done };
    return done;
  }

  private assertRests(): void {
    if (this.running) throw new Error('A turn is running: stop it first.');
  }

  private async work(turnId: string, open: (turnId: string) => void, signal: AbortSignal): Promise<TurnEnd> {
    await this.rewinding;
    await this.recorder.begin();
    await this.changes.ledger.flush();
    const end = await this.turn(turnId, open, signal);
    this.running = undefined;
    this.emit({ type: 'turn.ended', turnId, end });
    await this.recorder.flush();
    return end;
  }

  /** The one place where a bug of any part below is caught. */
  private async turn(turnId: string, open: (turnId: string) => void, signal: AbortSignal): Promise<TurnEnd> {
    try {
      open(turnId);
      const compose = await this.around.readPrompt(this.facts());
      return await runTurn(this.turnSurroundings(compose, signal), signal);
    } catch (error) {
      if (error instanceof PromptFileError) {
        return { kind: 'failed', trouble: { kind: 'promptFile', message: error.message } };
      }
      this.around.log.error('A turn failed unexpectedly', error);
      this.closeCalls();
      const message = `Folio met a fault of its own (${messageOf(error)}). Retry, or look at the log with "Folio: Open Log".`;
      return { kind: 'failed', trouble: { kind: 'bug', message } };
    }
  }

  /** What a bug left open must not make the history unusable for the next prompt. */
  private closeCalls(): void {
    const because = 'This call was ended by a fault of Folio';
    for (const event of closeOpenCalls(this.current, this.history.messages, because)) this.emit(event);
  }

  private turnSurroundings(compose: (facts: SessionFacts) => string, signal: AbortSignal): TurnSurroundings {
    const { around, history, current } = this;
    const { clock, provider, maxSteps, maxAttempts } = around;
    const emit = (event: SessionEventBody) => this.emit(event);
    // The model stays the same for the whole turn, whatever is picked meanwhile.
    const { model } = current;
    return {
      history,
      messages: async () => history.forRequest(await this.masking.apply(history.messages)),
      clock,
      provider,
      maxSteps,
      maxAttempts,
      emit,
      calls: this.callSurroundings(emit),
      model: () => model,
      systemPrompt: () => compose({ ...this.facts(), model }),
      declarations: () => {
        this.declared ??= [...this.tools.values()].map(declareTool);
        return this.declared;
      },
      addMessage: (message: Message) => this.addMessage(message),
      untilRetryNow: () =>
        new Promise<void>(resolve => {
          this.wakeRetry = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
  }

  private facts(): SessionFacts {
    const { mode, model } = this.current;
    return { mode, model, activeTopic: activeTopic(this.current), toolNames: [...this.tools.keys()] };
  }

  private callSurroundings(emit: (event: SessionEventBody) => void): CallSurroundings {
    const { policy, diagnostics, clock, log, store, outputLimit, tellOfFolders } = this.around;
    return {
      tools: this.tools,
      approvals: this.approvals,
      policy,
      diagnostics,
      clock,
      log,
      outputLimit,
      tellOfFolders,
      mode: () => this.current.mode,
      saveOutput: (name, text) => store.saveOutput(this.id, name, text),
      emit,
      proposed: (callId, proposal) => this.keepProposal(callId, proposal),
      watch: (call, run) => this.changes.watch(call, run),
    };
  }

  private startTopic(title: string, previousSummary: string | undefined): boolean {
    if (activeTopic(this.current) === title) return false;
    this.emit({ type: 'chapter.started', chapterId: this.around.clock.newId(), title, previousSummary });
    return true;
  }

  private keepProposal(callId: string, proposal: Proposal): void {
    this.proposals.set(callId, proposal);
    for (const oldest of this.proposals.keys()) {
      if (this.proposals.size <= keptProposals) break;
      this.proposals.delete(oldest);
    }
  }

  private addMessage(message: Message): void {
    this.emit({ type: 'message.added', message });
  }

  private emit(body: SessionEventBody): void {
    const event: SessionEvent = { ...body, seq: this.current.seq + 1, at: this.around.clock.now() };
    this.recorder.record(event);
    this.current = reduce(this.current, event);
    this.remember(event);
    this.events.fire(event);
  }

  /** Everything beside the state that is a fold of the events. */
  private remember(event: SessionEvent): void {
    this.rewinds.fold(event);
    this.history.fold(event);
    this.changes.fold(event);
  }
}
