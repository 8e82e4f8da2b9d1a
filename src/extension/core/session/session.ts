/* A conversation with a user, with journal, queue and rewind. */

import type { SessionEvent, SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import type { ApprovalMode, Attachment, RewindScope, RewindTarget } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import type { ContextBreakdown } from '../../../protocol/panel/context.ts';
import type { FallbackDecision } from '../../../protocol/routing.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Effect, RestoredFile } from '../../../protocol/values.ts';
import type { IsolatedPlace } from '../../../protocol/worktree.ts';
import type { Event } from '../../base/emitter.ts';
import type { CommitRequest } from '../../platform/worktrees.ts';
import { selectTools } from '../agents/toolSelection.ts';
import type { Decision } from '../calls/approvals.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import type { TemplateSources } from '../commands/template/templateSources.ts';
import type { Comments } from '../comments/comments.ts';
import { ContextMeasure } from '../context/breakdown.ts';
import type { EnvironmentContext } from '../context/environmentContext.ts';
import type { SessionEndReason } from '../hooks/sessionHooks.ts';
import type { ModelRequest } from '../model.ts';
import { modeChange } from '../policy/allowedModes.ts';
import type { Policy } from '../policy/policy.ts';
import type { SessionPrograms } from '../programs/runningPrograms.ts';
import { JournalRecorder } from '../recording/recorder.ts';
import { Transcript } from '../recording/transcript.ts';
import type { AnyTool, EditProposal } from '../tool.ts';
import type { ChangeTransfer } from '../worktrees/moveChanges.ts';
import { describeSessionMove, sessionMovedEvent } from '../worktrees/worktreeFolders.ts';
import type { TransferredFile, WorktreeTransfer } from '../worktrees/worktreeTransfer.ts';
import type { SessionCompressions } from './sessionCompressions.ts';
import { SessionCore } from './sessionCore.ts';
import type { SessionServices } from './sessionServices.ts';
import type { SessionStart } from './sessionStart.ts';
import type { CommandTiming, QueueMode, Turns } from './turns.ts';
import type { UserCall } from './userCalls.ts';

export class Session {
  readonly id: string;
  readonly changes: ChangeTracker;
  readonly comments: Comments;
  readonly compressions: SessionCompressions;
  readonly programs: SessionPrograms;
  private readonly services: SessionServices;
  private readonly recorder: JournalRecorder;
  private readonly transcript: Transcript;
  private readonly core: SessionCore;
  private readonly measure = new ContextMeasure();
  /** Number of the latest event, of the session or a subagent. */
  private newest: number;

  /** Fires once per event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent>;
  /** Fires likewise for each event of a subagent. */
  readonly onAgentEvent: Event<AgentEvent>;

  constructor(start: SessionStart, services: SessionServices) {
    this.id = start.sessionId;
    this.services = services;
    this.recorder = new JournalRecorder({
      open: () => services.storage.sessions.openJournal(this.id),
      notify: text => this.emit({ type: 'notice.shown', level: 'warning', text }),
    });
    this.newest = start.past?.state.seq ?? 0;
    this.transcript = new Transcript(body => this.record(body), start.past);
    this.onEvent = this.transcript.onEvent;
    this.onAgentEvent = this.transcript.onAgentEvent;
    const { id, transcript, recorder } = this;
    const number = (body: SessionEventBody) => this.number(body);
    const beginning = start.past ? 'resumed' : 'new';
    this.core = new SessionCore({ id, transcript, recorder, number, beginning }, services);
    this.changes = this.core.changes;
    this.comments = this.core.comments;
    this.compressions = this.core.compressions;
    this.programs = this.core.programs;
    if (start.past) {
      this.transcript.replay(start.past.reported);
      this.recorder.resume(start.journal);
      this.core.turns.resume();
    }
    this.onEvent(event => this.measure.fold(event, transcript.history.messages));
    if (start.listener) {
      this.onEvent(start.listener);
      this.onAgentEvent(start.listener);
    }
    if (start.closedAgents) this.core.agents.close(start.closedAgents);
    for (const event of start.opening) this.emit(event);
    this.onEvent(event => this.core.hooks.hear(event));
    this.onAgentEvent(({ event }) => this.core.hooks.hear(event));
  }

  get state(): SessionState {
    return this.transcript.state;
  }

  /** Context for the model that is added to each prompt. */
  get environmentContext(): Pick<EnvironmentContext, 'add' | 'memory'> {
    return this.services.environmentContext;
  }

  /** Decides which calls may run without asking. */
  get policy(): Policy {
    return this.services.policy;
  }

  /** Sources for templates of commands; absent: such commands cannot be sent. */
  get templates(): TemplateSources | undefined {
    return this.services.mentions.templates;
  }

  /** Effects that this agent's tools may have now; `undefined`: it is remote or unknown. */
  effectsOfAgent(name: string): ReadonlySet<Effect> | undefined {
    const kind = this.services.tools.agents?.().get(name);
    if (!kind || kind.remote) return undefined;
    return new Set(
      selectTools(this.core.conversation.requests.present, kind.tools).map(({ effect }) => effect),
    );
  }

  /** The tools that the next request declares. */
  get tools(): readonly AnyTool[] {
    return [...this.core.conversation.requests.offered.values()];
  }

  /** The latest request in this run of the host. */
  get lastRequest(): ModelRequest | undefined {
    return this.core.conversation.requests.newest;
  }

  /** Measures what fills the context, before the first request what it would contain. */
  async breakdown(): Promise<ContextBreakdown> {
    const { services, transcript } = this;
    const { conversation, routing } = this.core;
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
      limit: services.models.contextLimit(routing.working),
      threshold: services.limits().compressionThreshold,
    });
  }

  /** Changes in its worktree and ways to bring them home; absent: no worktree. */
  get worktreeTransfer(): WorktreeTransfer | undefined {
    return this.services.workspace.worktreeTransfer;
  }

  /** Moves changes home or back. Throws while a turn runs, or without a worktree. @param text the user's words */
  async moveChanges(text: string, wanted: ChangeTransfer): Promise<readonly TransferredFile[]> {
    const { worktreeTransfer } = this;
    if (!worktreeTransfer) throw new Error('The session works in no worktree.');
    const { moveChanges } = await import('../worktrees/moveChanges.ts');
    return await moveChanges(wanted, worktreeTransfer, {
      run: call => this.runOwnCall(text, call),
      emit: event => this.emit(event),
      accept: path => this.changes.ledger.accept({ path }),
    });
  }

  /** Records how many files of the worktree are neither at home nor on a branch, and how many have conflicts. */
  noteSettled(left: number, conflicts: number): void {
    this.emit({ type: 'worktree.settled', left, conflicts });
  }

  /** Returns what each chapter left in the worktree's files; empty without a worktree. */
  async planChapterCommits(): Promise<readonly CommitRequest[]> {
    const { state, transcript, changes } = this;
    if (!state.worktree) return [];
    const { planChapterCommits } = await import('../worktrees/planChapterCommits.ts');
    await changes.ledger.flush();
    return await planChapterCommits(state.worktree.path, state, transcript.places, changes);
  }

  /**
   * Records a move; the session must be reopened afterwards. Throws while a turn runs.
   * @param place absent: the workspace folders
   */
  moveTo(place: IsolatedPlace | undefined): void {
    this.core.turns.assertRests();
    const moved = sessionMovedEvent(place, this.services.workspace.homeFolders);
    this.emit(moved);
    this.transcript.say([{ kind: 'text', text: describeSessionMove(place, moved.folders) }]);
  }

  /** Moves to the workspace after its worktree was deleted. */
  returnHome(): void {
    const name = this.state.worktree?.name ?? '';
    this.moveTo(undefined);
    this.transcript.say([{ kind: 'text', text: `[The worktree ${name} is gone, and what was new in it.]` }]);
    const text = t('The worktree {0} is gone. The session works in the workspace again.', name);
    this.emit({ type: 'notice.shown', level: 'warning', text });
  }

  get busy(): boolean {
    return this.core.turns.busy;
  }

  /** Preloads what the request needs while the user types. Never rejects. */
  getReady(): Promise<void> {
    return this.core.getReady();
  }

  /**
   * Starts a turn and resolves when the agent stops. Throws while a turn runs.
   * @param wording what the model reads instead of the text
   */
  send(text: string, attachments: readonly Attachment[] = [], wording?: string): Promise<TurnEnd> {
    return this.core.turns.send({ text, attachments, wording });
  }

  /**
   * Sends a prompt immediately if the agent rests. Otherwise it waits for the end of the turn (`next`), is read at the
   * next step (`steer`), or ends the turn (`stopAndSend`). Resolves with the end of its own turn, or `undefined` once
   * it waits.
   */
  submitPrompt(
    text: string,
    attachments: readonly Attachment[],
    how: QueueMode,
    wording?: string,
  ): Promise<TurnEnd | undefined> {
    return this.core.turns.submit({ text, attachments, wording }, how);
  }

  /**
   * Runs a command of the user in a turn without model, which reads about it with the next prompt. While the agent
   * works, it waits or ends the turn (`stopAndSend`). Resolves like `submitPrompt`.
   */
  runCommand(command: string, how: CommandTiming): Promise<TurnEnd | undefined> {
    return this.core.turns.submit({ text: `!${command}`, attachments: [], command: true }, how);
  }

  /** Makes a call of a tool for the user; see `Turns.runOwnCall`. */
  runOwnCall(text: string, call: UserCall): Promise<TurnEnd> {
    return this.core.turns.runOwnCall(text, call);
  }

  get queue(): Pick<Turns['queue'], 'change' | 'remove'> {
    return this.core.turns.queue;
  }

  /** Ends the running turn and sends this prompt; `undefined` if it no longer waits or another was faster. */
  sendQueuedNow(id: string): Promise<TurnEnd | undefined> {
    return this.core.turns.sendNow(id);
  }

  /** Continues a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.core.turns.retry();
  }

  /**
   * Resolves when the agent rests.
   * @param why for the model, about unfinished calls
   */
  stop(why?: string): Promise<void> {
    return this.core.turns.stop(why);
  }

  /** Stops the subagent of this call. Returns false if it does not run. */
  stopAgent(callId: string): boolean {
    return this.core.agents.stop(callId);
  }

  /** Ends the pause before a retry. */
  retryNow(): void {
    this.core.turns.retryNow();
  }

  /** Returns false if the call does not wait for a decision. */
  decide(callId: string, decision: Decision): boolean {
    return this.core.approvals.decide(callId, decision);
  }

  /** Restarts a command in a terminal. Returns false if it does not run without one. */
  restartCommand(callId: string): boolean {
    return this.core.restarts.restart(callId);
  }

  /** Decides how to continue after the model failed. Returns false if no decision is pending. */
  decideFallback(decision: FallbackDecision): boolean {
    return this.core.routing.decide(decision);
  }

  /** Sets an option of the external agent that runs the session. */
  setForAgent(option: string, value: string): Promise<void> {
    return this.core.turns.external.choose(option, value);
  }

  setMode(mode: ApprovalMode): void {
    if (mode !== this.state.mode) this.emit(modeChange(mode, this.services.limits()));
  }

  /** @param name id or alias of a model */
  setModel(name: string): void {
    const model = this.services.models.resolve(name);
    if (model !== this.state.model) this.emit({ type: 'model.changed', model });
  }

  rename(title: string): void {
    if (title !== '' && title !== this.state.title) this.emit({ type: 'session.renamed', title });
  }

  /** Does nothing if the chapter has no title or already this one. */
  renameChapter(chapterId: string, title: string): void {
    const chapter = this.state.chapters.find(({ id }) => id === chapterId);
    if (chapter?.title && title && chapter.title !== title)
      this.emit({ type: 'chapter.renamed', chapterId, title });
  }

  /** @param id a prompt's turn or an answer's step */
  setPin(id: string, pinned: boolean): void {
    if (this.state.pins.includes(id) !== pinned) this.emit({ type: 'pin.changed', id, pinned });
  }

  /** Content that a call proposed; available for recent calls of this run of the host. */
  proposal(callId: string): EditProposal | undefined {
    return this.core.proposals.find(callId);
  }

  /** Plans the effect of a rewind on files. Writes nothing. */
  previewRewind(to: RewindTarget): Promise<readonly RestoredFile[]> {
    return this.core.rewinds.preview(to);
  }

  /** Rewinds to before a prompt or chapter. Throws while a turn runs, or if the place does not exist. */
  rewind(to: RewindTarget, scope: RewindScope): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.core.rewinds.rewind(to, scope));
  }

  /** Undoes the latest rewind. Throws if there is none, or a turn has started since. */
  undoRewind(): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.core.rewinds.undo());
  }

  /** Lets a light model propose what to remember. Returns the number of proposals, 0 while the agent works. */
  async reviewSessions(signal?: AbortSignal): Promise<number> {
    return this.busy ? 0 : ((await this.core.reviewSessions?.scan(signal)) ?? 0);
  }

  /** Stops, and resolves once everything is on disk. */
  async dispose(reason: SessionEndReason = 'exit'): Promise<void> {
    await this.core.turns.close('Folio was closed');
    this.programs.close();
    await Promise.all([this.core.reviewSessions?.stop(), this.services.tools.close?.()]);
    await this.core.rewinds.settle();
    await this.core.agents.flush();
    await this.changes.close();
    await this.changes.ledger.flush();
    await this.comments.flush();
    await this.recorder.flush();
    // Last, since hooks may be slow and VS Code waits only a few seconds on closing.
    await this.core.hooks.end(reason);
    await this.recorder.close();
    this.transcript.dispose();
  }

  private async alone<T>(rewind: () => Promise<T>): Promise<T> {
    this.core.turns.assertRests();
    this.core.rewinds.assertNone();
    try {
      return await rewind();
    } finally {
      this.services.environmentContext.forget();
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
    return { ...body, seq: this.newest, at: this.services.clock.now() };
  }
}
