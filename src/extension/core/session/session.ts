/*
 * One conversation. It owns the journal's numbering: every fact goes through `emit`, which records it, folds it
 * into the state and tells the listeners, in this order.
 */

import type { RestoredFile, RewindPoint, RewindScope } from '../../../protocol/changes.ts';
import type { ContextBreakdown } from '../../../protocol/context.ts';
import type {
  ApprovalMode,
  Attachment,
  SessionEvent,
  SessionEventBody,
  TurnEnd,
} from '../../../protocol/events.ts';
import type { QueuedPrompt } from '../../../protocol/queue.ts';
import { reduce } from '../../../protocol/reduce.ts';
import type { FallbackDecision } from '../../../protocol/routing.ts';
import { activeTopic, emptySession, liveChapter, type SessionState } from '../../../protocol/state.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { Agents } from '../agents/agents.ts';
import { Approvals, type Decision } from '../calls/approvals.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import { Changes } from '../changes/changes.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import { ContextMeasure } from '../context/breakdown.ts';
import { Compressions } from '../context/compression/compressions.ts';
import type { MemoryBlock } from '../context/memory.ts';
import { History } from '../history/history.ts';
import { type SessionEndReason, SessionHooks, sessionOfHooks } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import { sessionPlans } from '../plan/plans.ts';
import type { Policy } from '../policy/policy.ts';
import { Recorder } from '../recording/recorder.ts';
import { Routing } from '../routing/routing.ts';
import type { AnyTool, Proposal } from '../tool.ts';
import { Proposals } from './proposals.ts';
import { Requests } from './requests.ts';
import { Rewinds } from './rewinds.ts';
import type { SessionStart } from './sessionStart.ts';
import { sideQuestions } from './sideQuestions.ts';
import type { SessionFacts, SessionSurroundings } from './surroundings.ts';
import { toolSurface } from './toolSurface.ts';
import { type QueueHow, Turns } from './turns.ts';

export class Session {
  readonly id: string;
  /** What this session did to files. */
  readonly changes: Changes;
  readonly compressions: Compressions;
  private readonly around: SessionSurroundings;
  private readonly events = new Emitter<SessionEvent>();
  private readonly approvals = new Approvals();
  private readonly history = new History();
  private readonly measure = new ContextMeasure();
  private readonly recorder: Recorder;
  private readonly proposals = new Proposals();
  private readonly rewinds: Rewinds;
  private readonly requests: Requests;
  private readonly hooks: SessionHooks;
  private readonly routing: Routing;
  private readonly turns: Turns;
  private readonly agents: Agents;
  private current: SessionState;
  /** Going back, or undoing that, which nothing may come between. */
  private rewinding: Promise<unknown> | undefined;

  /** Emits once for each event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent> = this.events.event;

  constructor(start: SessionStart, around: SessionSurroundings) {
    this.id = start.sessionId;
    this.around = around;
    this.current = start.state ?? emptySession;
    this.recorder = new Recorder(around.store, this.id, text =>
      this.emit({ type: 'notice.shown', level: 'warning', text }),
    );
    const { history } = this;
    const { folders, files, blobs, versionControl, clock, log } = around;
    const state = () => this.current;
    const emit = (event: SessionEventBody) => this.emit(event);
    this.changes = new Changes({
      ...{ folders, files, blobs, versionControl, clock, log, emit },
      recorded: () => this.recorder.flush(),
      chapterId: () => liveChapter(this.current).id,
    });
    this.rewinds = new Rewinds({ changes: this.changes, history, clock, state, emit });
    const { places } = this.rewinds;
    const sessionId = this.id;
    this.routing = new Routing({
      ...around,
      ...{ history, state, emit, asking: sideQuestions(around, 'route', emit) },
    });
    const surface = toolSurface({
      ...{ sessionId, clock, history, places, state, emit },
      model: () => this.routing.working,
      files: this.changes.files,
      plans: sessionPlans({
        files,
        folder: () => around.store.plansFolder(sessionId),
        mode: () => state().mode,
        emit,
      }),
    });
    const saveOutput = (name: string, text: string) => around.store.saveOutput(sessionId, name, text);
    this.agents = new Agents({
      ...{ around, state, emit, routing: this.routing },
      tools: () => [...this.requests.offered.values()],
      calls: () => this.callSurroundings(emit),
      hooks: () => this.hooks,
      compose: (facts, write) => this.turns.compose(facts, write),
      findReachedBudget: () => this.turns.findReachedBudget(),
      stopTurn: () => void this.stop(),
    });
    this.requests = new Requests(
      history,
      [...around.tools(surface), ...this.agents.tools],
      { saveOutput, log },
      around.moreTools?.(surface),
    );
    this.hooks = new SessionHooks({
      ...sessionOfHooks(around, sessionId),
      ...{ history, state, emit, resumed: start.past !== undefined },
    });
    this.compressions = new Compressions({
      ...around,
      beforeCompression: async (trigger, signal) => {
        await around.beforeCompression(trigger, signal);
        await this.hooks.beforeCompression(trigger, signal);
      },
      ...sideQuestions(around, 'summary', emit),
      ...{ history, places, saveOutput, state, emit, routing: this.routing },
      overhead: async () => this.compressions.gauge.ofOverhead(await this.frame()),
      sent: () => this.requests.messages(),
      isRewinding: () => this.rewinding !== undefined,
      beginRecording: () => this.recorder.begin(),
      flush: () => this.recorder.flush(),
    });
    this.turns = new Turns({
      ...{ around, history, requests: this.requests, compressions: this.compressions, state, emit },
      ...{ hooks: this.hooks, routing: this.routing },
      calls: () => this.callSurroundings(emit),
      facts: () => this.facts(),
      ready: async () => {
        await this.rewinding;
        await this.recorder.begin();
        await this.changes.ledger.flush();
      },
      flush: () => this.recorder.flush(),
    });
    for (const event of start.past ?? []) this.remember(event);
    if (start.past) {
      this.recorder.resume(start.journal);
      this.turns.resume();
    }
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

  /** What may run unasked, and why. */
  get policy(): Policy {
    return this.around.policy;
  }

  /** What commands with a text of their own are filled from; absent: they cannot be sent. */
  get templates(): TemplateSources | undefined {
    return this.around.templates;
  }

  /** What the model is told of with the next request. */
  get tools(): readonly AnyTool[] {
    return [...this.requests.offered.values()];
  }

  /** The newest request of this run of the host. */
  get lastRequest(): ModelRequest | undefined {
    return this.requests.newest;
  }

  /** What fills the context. Before the first request of this run of the host, what the next one would carry. */
  async breakdown(): Promise<ContextBreakdown> {
    const { system, tools } = await this.frame();
    const { around, history, requests, rewinds, current } = this;
    const { messages, compression } = history;
    return this.measure.describe({
      ...{ system, tools, messages, compression },
      masked: requests.shownOf(messages),
      opening: current.chapters[0]!.id,
      chapters: rewinds.places.chapters,
      tokens: current.contextTokens,
      limit: around.contextLimit(this.routing.working),
      threshold: around.compressionThreshold(),
    });
  }

  get busy(): boolean {
    return this.turns.busy;
  }

  /**
   * Starts a turn and resolves when the agent rests again. Throws when a turn is running.
   * @param wording what the model reads in place of the text
   */
  send(text: string, attachments: readonly Attachment[] = [], wording?: string): Promise<TurnEnd> {
    return this.turns.send({ text, attachments, wording });
  }

  /**
   * Sends a prompt at once when the agent rests. Else it waits for the end of the turn (`next`), is read at its next
   * step (`steer`), or ends it (`stopAndSend`). Resolves with the end of its own turn, or `undefined` once it waits.
   */
  queue(
    text: string,
    attachments: readonly Attachment[],
    how: QueueHow,
    wording?: string,
  ): Promise<TurnEnd | undefined> {
    return this.turns.take({ text, attachments, ...(wording !== undefined && { wording }) }, how);
  }

  /** False when the prompt waits no longer. */
  changeQueued(prompt: QueuedPrompt): boolean {
    return this.turns.queue.change(prompt);
  }

  /** False when the prompt waits no longer. */
  removeQueued(id: string): boolean {
    return this.turns.queue.remove(id);
  }

  /** Ends the turn that runs and sends this prompt; `undefined` when it waits no longer or another was faster. */
  sendQueuedNow(id: string): Promise<TurnEnd | undefined> {
    return this.turns.sendNow(id);
  }

  /** Goes on with a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.turns.retry();
  }

  /**
   * Resolves when the agent rests; at once when it does already.
   * @param why what the model reads of the calls that did not finish
   */
  stop(why = 'The person stopped the agent'): Promise<void> {
    return this.turns.stop(why);
  }

  /** Ends the work of the subagent that this call sent out. False: it does not work (any more). */
  stopAgent(callId: string): boolean {
    return this.agents.stop(callId);
  }

  /** Ends the pause before a retry. */
  retryNow(): void {
    this.turns.retryNow();
  }

  /** False when the call does not wait for a decision (any more). */
  decide(callId: string, decision: Decision): boolean {
    return this.approvals.decide(callId, decision);
  }

  /** How the turn goes on whose model failed. False when that is not asked (any more). */
  decideFallback(decision: FallbackDecision): boolean {
    return this.routing.decide(decision);
  }

  setMode(mode: ApprovalMode): void {
    if (mode !== this.current.mode) this.emit({ type: 'mode.changed', mode });
  }

  setModel(model: string): void {
    if (model !== this.current.model) this.emit({ type: 'model.changed', model });
  }

  /** Gives the session a name of the person's own. */
  rename(title: string): void {
    if (title !== '' && title !== this.current.title) this.emit({ type: 'session.renamed', title });
  }

  /** Does nothing when the chapter has no title or this one already. */
  renameChapter(chapterId: string, title: string): void {
    const chapter = this.current.chapters.find(({ id }) => id === chapterId);
    if (chapter?.title && title && chapter.title !== title)
      this.emit({ type: 'chapter.renamed', chapterId, title });
  }

  /** @param id a prompt's turn or an answer's step */
  setPin(id: string, pinned: boolean): void {
    if (this.current.pins.includes(id) !== pinned) this.emit({ type: 'pin.changed', id, pinned });
  }

  /** What a call wants or wanted to write; known for the newest calls of this run of the host. */
  proposal(callId: string): Proposal | undefined {
    return this.proposals.find(callId);
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
  async dispose(reason: SessionEndReason = 'exit'): Promise<void> {
    await this.turns.close('Folio was closed');
    await this.rewinding;
    await this.changes.ledger.flush();
    await this.recorder.flush();
    // Last, since they take their time: a window that closes waits for a few seconds only.
    await this.hooks.end(reason);
    await this.recorder.close();
    this.events.dispose();
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    this.turns.assertRests();
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

  /** What every request carries beside the history: as the newest one did, else as the next would. */
  private async frame(): Promise<Pick<ModelRequest, 'system' | 'tools'>> {
    if (this.requests.newest) return this.requests.newest;
    const facts = this.facts();
    const compose = await this.around.readPrompt(facts);
    return { system: compose(facts), tools: this.requests.declarations() };
  }

  private facts(): SessionFacts {
    const { mode } = this.current;
    const { working: model } = this.routing;
    const toolNames = [...this.requests.offered.keys()];
    return { mode, model, activeTopic: activeTopic(this.current), toolNames };
  }

  private callSurroundings(emit: (event: SessionEventBody) => void): CallSurroundings {
    const { policy, diagnostics, clock, log, store, outputLimit, tellOfFolders } = this.around;
    const { requests } = this;
    return {
      tools: requests.known,
      hooks: this.hooks.calls,
      ...{ approvals: this.approvals, policy, diagnostics, clock, log },
      ...{ outputLimit, tellOfFolders },
      mode: () => this.current.mode,
      saveOutput: (name, text) => store.saveOutput(this.id, name, text),
      emit,
      proposed: (callId, proposal) => this.proposals.keep(callId, proposal),
      watch: (call, run) => this.changes.watch(call, run),
    };
  }

  private emit(body: SessionEventBody): void {
    const event: SessionEvent = { ...body, seq: this.current.seq + 1, at: this.around.clock.now() };
    this.recorder.record(event);
    this.current = reduce(this.current, event);
    this.remember(event);
    this.measure.fold(event, this.history.messages);
    this.events.fire(event);
    this.hooks.hear(event);
  }

  /** Everything beside the state that is a fold of the events. */
  private remember(event: SessionEvent): void {
    this.rewinds.fold(event);
    this.history.fold(event);
    this.compressions.fold(event);
    this.routing.fold(event);
    this.turns.fold(event);
    this.changes.fold(event);
  }
}
