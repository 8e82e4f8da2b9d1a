/* A conversation with a person: it has a journal, a queue, and ways back. */

import type { RestoredFile, RewindPoint, RewindScope } from '../../../protocol/changes.ts';
import type { ContextBreakdown } from '../../../protocol/context.ts';
import type {
  ApprovalMode,
  Attachment,
  SessionEvent,
  SessionEventBody,
  TurnEnd,
} from '../../../protocol/events.ts';
import type { AgentEvent, ToldEvent } from '../../../protocol/fold/agents.ts';
import type { QueuedPrompt } from '../../../protocol/queue.ts';
import type { FallbackDecision } from '../../../protocol/routing.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Event } from '../../base/emitter.ts';
import type { Journal } from '../../platform/storage.ts';
import type { Decision } from '../calls/approvals.ts';
import type { Changes } from '../changes/changes.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import { ContextMeasure } from '../context/breakdown.ts';
import type { MemoryBlock } from '../context/memory.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { SessionEndReason } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import { Recorder } from '../recording/recorder.ts';
import type { AnyTool, Proposal } from '../tool.ts';
import type { SessionCompressions } from './sessionCompressions.ts';
import { SessionParts } from './sessionParts.ts';
import type { SessionStart } from './sessionStart.ts';
import type { SessionSurroundings } from './surroundings.ts';
import type { QueueHow } from './turns.ts';

export class Session {
  readonly id: string;
  /** What this session did to files. */
  readonly changes: Changes;
  readonly compressions: SessionCompressions;
  private readonly around: SessionSurroundings;
  private readonly recorder: Recorder;
  private readonly transcript: Transcript;
  private readonly parts: SessionParts;
  private readonly measure = new ContextMeasure();
  /** The number of the newest event, of the session or of one of its subagents. */
  private newest: number;

  /** Emits once for each event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent>;
  /** The same of the subagents that it has sent out. */
  readonly onAgentEvent: Event<AgentEvent>;

  constructor(start: SessionStart, around: SessionSurroundings) {
    this.id = start.sessionId;
    this.around = around;
    this.recorder = new Recorder({
      open: () => around.store.openJournal(this.id),
      name: 'this session',
      tell: text => this.emit({ type: 'notice.shown', level: 'warning', text }),
    });
    this.newest = start.state?.seq ?? 0;
    this.transcript = new Transcript(body => this.record(body), start.state);
    this.onEvent = this.transcript.onEvent;
    this.onAgentEvent = this.transcript.onAgentEvent;
    const { id, transcript, recorder } = this;
    this.parts = new SessionParts({
      id,
      around,
      transcript,
      recorder,
      resumed: start.past !== undefined,
      number: body => this.number(body),
    });
    this.changes = this.parts.changes;
    this.compressions = this.parts.compressions;
    if (start.past) this.resume(start.past, start.journal);
    this.onEvent(event => this.measure.fold(event, transcript.history.messages));
    if (start.listener) {
      this.onEvent(start.listener);
      this.onAgentEvent(start.listener);
    }
    if (start.closedAgents) this.parts.agents.close(start.closedAgents);
    for (const event of start.opening) this.emit(event);
    this.onEvent(event => this.parts.hooks.hear(event));
    this.onAgentEvent(({ event }) => this.parts.hooks.hear(event));
  }

  get state(): SessionState {
    return this.transcript.state;
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
    return [...this.parts.conversation.requests.offered.values()];
  }

  /** The newest request of this run of the host. */
  get lastRequest(): ModelRequest | undefined {
    return this.parts.conversation.requests.newest;
  }

  /** What fills the context. Before the first request of this run of the host, what the next one would carry. */
  async breakdown(): Promise<ContextBreakdown> {
    const { around, transcript } = this;
    const { conversation, routing } = this.parts;
    const { system, tools } = await conversation.readFrame();
    const { history, places, state } = transcript;
    const { messages, compression } = history;
    return this.measure.describe({
      system,
      tools,
      messages,
      compression,
      masked: conversation.requests.shownOf(messages),
      opening: state.chapters[0]!.id,
      chapters: places.chapters,
      tokens: state.contextTokens,
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
    return this.parts.turns.take({ text, attachments, wording }, how);
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
    if (mode !== this.state.mode) this.emit({ type: 'mode.changed', mode });
  }

  /** @param name an id, or what stands for one */
  setModel(name: string): void {
    const model = this.around.resolveModel?.(name) ?? name;
    if (model !== this.state.model) this.emit({ type: 'model.changed', model });
  }

  /** Gives the session a name of the person's own. */
  rename(title: string): void {
    if (title !== '' && title !== this.state.title) this.emit({ type: 'session.renamed', title });
  }

  /** Does nothing when the chapter has no title or this one already. */
  renameChapter(chapterId: string, title: string): void {
    const chapter = this.state.chapters.find(({ id }) => id === chapterId);
    if (chapter?.title && title && chapter.title !== title)
      this.emit({ type: 'chapter.renamed', chapterId, title });
  }

  /** @param id a prompt's turn or an answer's step */
  setPin(id: string, pinned: boolean): void {
    if (this.state.pins.includes(id) !== pinned) this.emit({ type: 'pin.changed', id, pinned });
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
    await this.parts.rewinds.settle();
    await this.parts.agents.flush();
    await this.changes.ledger.flush();
    await this.recorder.flush();
    // Last, since they take their time: a window that closes waits for a few seconds only.
    await this.parts.hooks.end(reason);
    await this.recorder.close();
    this.transcript.dispose();
  }

  private resume(past: readonly ToldEvent[], journal: Journal | undefined): void {
    this.transcript.replay(past);
    this.recorder.resume(journal);
    this.parts.turns.resume();
  }

  private async alone<T>(rewind: () => Promise<T>): Promise<T> {
    this.parts.turns.assertRests();
    this.parts.rewinds.assertNone();
    try {
      return await rewind();
    } finally {
      this.around.forgetEditorContext();
      await this.recorder.flush();
    }
  }

  private emit(body: SessionEventBody): void {
    this.transcript.emit(body);
  }

  private record(body: SessionEventBody): SessionEvent {
    const event = this.number(body);
    this.recorder.record(event);
    return event;
  }

  private number(body: SessionEventBody): SessionEvent {
    this.newest++;
    return { ...body, seq: this.newest, at: this.around.clock.now() };
  }
}
