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
import { emptySession, type SessionState } from '../../../protocol/state.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Decision } from '../calls/approvals.ts';
import type { Changes } from '../changes/changes.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import { ContextMeasure } from '../context/breakdown.ts';
import type { Compressions } from '../context/compression/compressions.ts';
import type { MemoryBlock } from '../context/memory.ts';
import type { SessionEndReason } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyTool, Proposal } from '../tool.ts';
import { SessionParts } from './sessionParts.ts';
import type { SessionStart } from './sessionStart.ts';
import type { SessionSurroundings } from './surroundings.ts';
import type { QueueHow } from './turns.ts';

export class Session {
  readonly id: string;
  /** What this session did to files. */
  readonly changes: Changes;
  readonly compressions: Compressions;
  private readonly around: SessionSurroundings;
  private readonly parts: SessionParts;
  private readonly events = new Emitter<SessionEvent>();
  private readonly measure = new ContextMeasure();
  private current: SessionState;
  /** Going back, or undoing that, which nothing may come between. */
  private rewinding: Promise<unknown> | undefined;

  /** Emits once for each event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent> = this.events.event;

  constructor(start: SessionStart, around: SessionSurroundings) {
    this.id = start.sessionId;
    this.around = around;
    this.current = start.state ?? emptySession;
    this.parts = new SessionParts({
      ...{ id: this.id, around, resumed: start.past !== undefined },
      state: () => this.current,
      emit: event => this.emit(event),
      rewinding: () => this.rewinding,
    });
    this.changes = this.parts.changes;
    this.compressions = this.parts.compressions;
    for (const event of start.past ?? []) this.parts.fold(event);
    if (start.past) {
      this.parts.recorder.resume(start.journal);
      this.parts.turns.resume();
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
    return [...this.parts.requests.offered.values()];
  }

  /** The newest request of this run of the host. */
  get lastRequest(): ModelRequest | undefined {
    return this.parts.requests.newest;
  }

  /** What fills the context. Before the first request of this run of the host, what the next one would carry. */
  async breakdown(): Promise<ContextBreakdown> {
    const { system, tools } = await this.parts.frame();
    const { around, current } = this;
    const { history, requests, rewinds, routing } = this.parts;
    const { messages, compression } = history;
    return this.measure.describe({
      ...{ system, tools, messages, compression },
      masked: requests.shownOf(messages),
      opening: current.chapters[0]!.id,
      chapters: rewinds.places.chapters,
      tokens: current.contextTokens,
      limit: around.contextLimit(routing.working),
      threshold: around.compressionThreshold(),
    });
  }

  get busy(): boolean {
    return this.parts.turns.busy;
  }

  /**
   * Starts a turn and resolves when the agent rests again. Throws when a turn is running.
   * @param wording what the model reads in place of the text
   */
  send(text: string, attachments: readonly Attachment[] = [], wording?: string): Promise<TurnEnd> {
    return this.parts.turns.send({ text, attachments, wording });
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
    return this.parts.turns.take({ text, attachments, ...(wording !== undefined && { wording }) }, how);
  }

  /** False when the prompt waits no longer. */
  changeQueued(prompt: QueuedPrompt): boolean {
    return this.parts.turns.queue.change(prompt);
  }

  /** False when the prompt waits no longer. */
  removeQueued(id: string): boolean {
    return this.parts.turns.queue.remove(id);
  }

  /** Ends the turn that runs and sends this prompt; `undefined` when it waits no longer or another was faster. */
  sendQueuedNow(id: string): Promise<TurnEnd | undefined> {
    return this.parts.turns.sendNow(id);
  }

  /** Goes on with a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.parts.turns.retry();
  }

  /**
   * Resolves when the agent rests; at once when it does already.
   * @param why what the model reads of the calls that did not finish
   */
  stop(why?: string): Promise<void> {
    return this.parts.turns.stop(why);
  }

  /** Ends the work of the subagent that this call sent out. False: it does not work (any more). */
  stopAgent(callId: string): boolean {
    return this.parts.agents.stop(callId);
  }

  /** Ends the pause before a retry. */
  retryNow(): void {
    this.parts.turns.retryNow();
  }

  /** False when the call does not wait for a decision (any more). */
  decide(callId: string, decision: Decision): boolean {
    return this.parts.approvals.decide(callId, decision);
  }

  /** How the turn goes on whose model failed. False when that is not asked (any more). */
  decideFallback(decision: FallbackDecision): boolean {
    return this.parts.routing.decide(decision);
  }

  setMode(mode: ApprovalMode): void {
    if (mode !== this.current.mode) this.emit({ type: 'mode.changed', mode });
  }

  /** @param name an id, or what stands for one */
  setModel(name: string): void {
    const model = this.around.resolveModel?.(name) ?? name;
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
    return this.parts.proposals.find(callId);
  }

  /** What going back to before a prompt or chapter would do to files. Writes nothing. */
  previewRewind(to: RewindPoint): Promise<readonly RestoredFile[]> {
    return this.parts.rewinds.preview(to);
  }

  /** Goes back to before a prompt or chapter. Throws when a turn is running or there is no such place. */
  rewind(to: RewindPoint, scope: RewindScope): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.parts.rewinds.rewind(to, scope));
  }

  /** Takes the newest rewind back. Throws when there is none, or a turn has begun since. */
  undoRewind(): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.parts.rewinds.undo());
  }

  /** Stops and leaves everything on the disk. */
  async dispose(reason: SessionEndReason = 'exit'): Promise<void> {
    await this.parts.turns.close('Folio was closed');
    await this.rewinding;
    await this.changes.ledger.flush();
    await this.parts.recorder.flush();
    // Last, since they take their time: a window that closes waits for a few seconds only.
    await this.parts.hooks.end(reason);
    await this.parts.recorder.close();
    this.events.dispose();
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    this.parts.turns.assertRests();
    if (this.rewinding) throw new Error('A rewind is going on: wait until it is done.');
    const working = this.parts.recorder.begin().then(work);
    // Who waits for it only wants to know that it is over; its failure reaches the caller.
    this.rewinding = working.catch(() => {});
    try {
      return await working;
    } finally {
      this.rewinding = undefined;
      this.around.forgetEditorContext();
      await this.parts.recorder.flush();
    }
  }

  private emit(body: SessionEventBody): void {
    const event: SessionEvent = { ...body, seq: this.current.seq + 1, at: this.around.clock.now() };
    this.parts.recorder.record(event);
    this.current = reduce(this.current, event);
    this.parts.fold(event);
    this.measure.fold(event, this.parts.history.messages);
    this.events.fire(event);
    this.parts.hooks.hear(event);
  }
}
