/*
 * The turns of a session, one at a time: their start, end and waiting prompts.
 *
 *   send, retry, a waiting prompt ─► turn ─► rested ─► the next waiting prompt
 *                                      └───► anything else: prompts keep waiting until the user continues
 */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { Blob, Part, QueuedPrompt, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Todo } from '../../../protocol/values.ts';
import { userCommandOf } from '../../../protocol/words/userCommand.ts';
import { SessionClosedError } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { CallServices } from '../calls/calling.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { failureOf, type TurnDelegate } from '../conversation/turn.ts';
import type { ExternalSession } from '../external/externalSession.ts';
import { promptParts } from '../history/promptParts.ts';
import { HookStopError } from '../hooks/hookStops.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import type { SessionPrograms } from '../programs/runningPrograms.ts';
import { PromptFileError } from '../prompt/promptFile.ts';
import type { SessionPrompt } from '../prompt/sessionPrompt.ts';
import type { JournalRecorder } from '../recording/recorder.ts';
import { openCallClosingEvents } from '../recording/restore.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { Routing } from '../routing/routing.ts';
import { PromptQueue } from './promptQueue.ts';
import type { Rewinds } from './rewinds.ts';
import type { SessionServices } from './sessionServices.ts';
import type { SessionSlots } from './sessionSlots.ts';
import { TurnWatch } from './turnWatch.ts';
import type { UserCall } from './userCalls.ts';

/** The session of these turns. */
interface TurnOwner {
  readonly external: ExternalSession;
  readonly conversation: Conversation;
  readonly prompt: SessionPrompt;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  readonly calls: CallServices;
  readonly recorder: JournalRecorder;
  readonly rewinds: Rewinds;
  readonly changes: ChangeTracker;
  readonly programs: Pick<SessionPrograms, 'takeNews'>;
  readonly services: Pick<SessionServices, 'environmentContext' | 'mentions' | 'tools' | 'workspace'>;
}

/** A user's prompt. `wording`: the model reads this instead of the text. */
type Prompt = Pick<QueuedPrompt, 'text' | 'attachments' | 'wording' | 'command'>;

/** Runs a turn to its end. */
type TurnWork = (turnId: string, signal: AbortSignal) => Promise<TurnEnd>;

/** Adds the start of a turn to the history. */
type TurnOpening = (turnId: string, signal: AbortSignal) => Promise<void>;

export type QueueMode = QueuedPrompt['when'] | 'stopAndSend';
/** `setUp`: immediately, in a resting session, under the rules for the agent's commands. */
export type CommandTiming = QueueMode | 'setUp';

const meanwhile =
  '[The user added this while you were working. Take it into account from here on; continue with what you were doing unless it says otherwise.]';

export class Turns {
  readonly queue: PromptQueue;
  private readonly owner: TurnOwner;
  private readonly transcript: Transcript;
  private readonly watch: TurnWatch;
  private running: { readonly abort: AbortController; readonly done: Promise<TurnEnd> } | undefined;
  private wakeRetry: (() => void) | undefined;
  private closed = false;

  constructor(owner: TurnOwner) {
    const { ports, transcript } = owner.conversation;
    this.owner = owner;
    this.transcript = transcript;
    this.queue = new PromptQueue(transcript, ports.clock);
    this.watch = new TurnWatch(owner.conversation, owner.services.tools.checkWork);
    transcript.onEvent(({ type }) => this.slots?.hear(type));
    transcript.onAgentEvent(({ event }) => this.slots?.hear(event.type));
  }

  /** True if it works and does not wait for the user. */
  get isAtWork(): boolean {
    const { status } = this.transcript.state.activity;
    return this.busy && status !== 'waiting' && status !== 'choosing';
  }

  private get slots(): SessionSlots | undefined {
    return this.owner.services.workspace.slots;
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** The external agent, if one runs the session. */
  get external(): ExternalSession {
    return this.owner.external;
  }

  /** Checks the budgets of the running turn and the session. */
  findReachedBudget(): ReachedBudget | undefined {
    // A subagent does not wait for this, so its next step uses the result.
    void this.watch.measure();
    return this.watch.findReachedBudget();
  }

  /** Call after a resume: earlier warnings are known. */
  resume(): void {
    this.watch.resume();
    // Their line for a free slot ended with the window, so the user must start them.
    for (const { id } of this.transcript.state.queue) this.queue.setAhead(id, undefined);
  }

  /** Resolves when the agent stops. Throws while a turn runs. */
  send(prompt: Prompt, queuedAs?: string): Promise<TurnEnd> {
    if (prompt.command) return this.start((id, signal) => this.runCommand(id, prompt, signal, queuedAs));
    return this.begin((turnId, signal) => this.openTurn(turnId, prompt, signal, queuedAs));
  }

  /**
   * Sends a prompt if the agent rests; otherwise queues it, adds it to the next step, or ends the turn. Resolves with
   * the end of its turn, or `undefined` once it waits.
   */
  async submit(prompt: Prompt, how: CommandTiming): Promise<TurnEnd | undefined> {
    if (how === 'setUp') return this.start((turnId, signal) => this.setUp(turnId, prompt, signal));
    if (!this.running)
      return this.slots?.isFull ? await this.waitInLine(prompt, this.slots) : this.send(prompt);
    // A command must run before the model can read about it.
    const when = how === 'steer' && !prompt.command ? 'steer' : 'next';
    const { id } = this.enqueue(prompt, when);
    return how === 'stopAndSend' ? this.sendNow(id) : undefined;
  }

  private enqueue(prompt: Prompt, when: QueuedPrompt['when']): QueuedPrompt {
    const queued = this.queue.add({ ...prompt, when });
    if (!prompt.command) this.owner.services.environmentContext.keepSelection(queued.id);
    return queued;
  }

  /** Resolves once the prompt is on disk, even for a new session. */
  private async waitInLine(prompt: Prompt, slots: SessionSlots): Promise<undefined> {
    const { id } = this.enqueue(prompt, 'next');
    const isWaiting = () => !this.running && !this.closed && this.queue.has(id);
    slots.wait({
      get isWaiting() {
        return isWaiting();
      },
      start: () => this.sendNext(id),
      report: ahead => this.queue.setAhead(id, ahead),
    });
    await this.owner.recorder.begin();
  }

  /** Ends the running turn to send a queued prompt. `undefined`: it no longer waits, or another was faster. */
  async sendNow(id: string): Promise<TurnEnd | undefined> {
    // A second or late click must not end the turn that the prompt itself started.
    if (!this.queue.has(id)) return undefined;
    if (this.running) await this.stop('The user sent another prompt');
    if (this.running || this.closed) return undefined;
    const prompt = this.queue.claim(id);
    return prompt && this.sendClaimed(prompt);
  }

  /** Continues a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.begin(async turnId => {
      this.transcript.emit({ type: 'turn.retried', turnId });
      // After a cut answer, the history needs a user message.
      if (this.transcript.history.messages.at(-1)?.role !== 'user') {
        this.transcript.say([{ kind: 'text', text: 'Continue from where you stopped.' }]);
      }
    });
  }

  /**
   * Resolves when the agent rests.
   * @param why for the model, about unfinished calls
   */
  async stop(why = 'The user stopped the agent'): Promise<void> {
    await this.abort(new DOMException(why, 'AbortError'));
  }

  /** Prevents queued prompts from starting. */
  async close(why: string): Promise<void> {
    this.closed = true;
    await this.abort(new SessionClosedError(why));
    await this.owner.external.close();
  }

  private async abort(reason: DOMException): Promise<void> {
    this.running?.abort.abort(reason);
    await Promise.all([this.running?.done, this.owner.conversation.compressions.stop()]);
  }

  /** Ends the pause before a retry. */
  retryNow(): void {
    this.wakeRetry?.();
  }

  assertRests(): void {
    if (this.running) throw new Error('A turn is running: stop it first.');
  }

  private begin(opening: TurnOpening): Promise<TurnEnd> {
    return this.start((turnId, signal) => this.runTurn(turnId, opening, signal));
  }

  private start(work: TurnWork): Promise<TurnEnd> {
    this.assertRests();
    if (this.closed) throw new Error('This session was left. Open it again to continue with it.');
    const abort = new AbortController();
    const turnId = this.owner.conversation.ports.clock.newId();
    const done = this.runAndSettle(turnId, work, abort.signal);
    this.running = { abort, done };
    this.slots?.enter(this);
    return done;
  }

  private async runAndSettle(turnId: string, work: TurnWork, signal: AbortSignal): Promise<TurnEnd> {
    const { rewinds, recorder, changes, routing } = this.owner;
    await rewinds.settle();
    await recorder.begin();
    await changes.ledger.flush();
    const end = await work(turnId, signal).catch(error => this.failed(error));
    this.running = undefined;
    routing.end();
    this.transcript.emit({ type: 'turn.ended', turnId, end });
    // A stop that arrives as the agent finishes also applies to queued prompts.
    if (end.kind === 'rested' && !signal.aborted) this.sendNext();
    if (!this.running) this.slots?.leave(this);
    await recorder.flush();
    return end;
  }

  private sendNext(id?: string): void {
    if (this.running || this.closed) return;
    const next = this.queue.claim(id);
    if (!next) return;
    this.sendClaimed(next).catch((error: unknown) =>
      this.owner.conversation.ports.log.error('A waiting prompt could not be sent', error),
    );
  }

  private sendClaimed(prompt: QueuedPrompt): Promise<TurnEnd> {
    const { id } = prompt;
    return this.send(prompt, id).finally(() => this.queue.release(id));
  }

  private async runTurn(turnId: string, opening: TurnOpening, signal: AbortSignal): Promise<TurnEnd> {
    const { conversation, prompt, hooks, routing, external } = this.owner;
    conversation.ports.limits.refresh();
    try {
      await hooks.beginTurn();
      await opening(turnId, signal);
      if (external.isChosen) {
        // Also reads rules and permissions.
        await prompt.read();
        return await hooks.untilAccepted(() => external.run(signal), signal);
      }
      const blocked = await routing.begin(turnId, signal);
      if (blocked?.kind === 'failed') return { kind: 'failed', trouble: failureOf(blocked.error) };
      if (blocked) return blocked;
      await prompt.read();
      const delegate = this.delegate(signal);
      return await hooks.untilAccepted(() => conversation.run(delegate, signal), signal);
    } catch (error) {
      if (error instanceof HookStopError) return { kind: 'hook', reason: error.message };
      if (error instanceof PromptFileError) {
        return { kind: 'failed', trouble: { kind: 'promptFile', message: error.message } };
      }
      throw error;
    }
  }

  /** The only place that catches bugs of the parts below. */
  private failed(error: unknown): TurnEnd {
    this.owner.conversation.ports.log.error('A turn failed unexpectedly', error);
    this.closeCalls();
    const message = t(
      'Internal error in Folio ({0}). Retry, or see the log with "Folio: Open Log".',
      messageOf(error),
    );
    return { kind: 'failed', trouble: { kind: 'bug', message } };
  }

  /** Runs the user's command in a turn without model. */
  private async runCommand(
    turnId: string,
    { text }: Prompt,
    signal: AbortSignal,
    queuedAs?: string,
  ): Promise<TurnEnd> {
    const command = userCommandOf(text) ?? text;
    const { describeMissingCommandResult, runUserCommand } = await import('./userCalls.ts');
    const say = this.openOwnTurn(turnId, text, describeMissingCommandResult(command), queuedAs);
    return await runUserCommand({ command, turnId }, this.owner.calls, say, signal);
  }

  private async setUp(turnId: string, { text }: Prompt, signal: AbortSignal): Promise<TurnEnd> {
    const command = userCommandOf(text) ?? text;
    const { describeMissingCommandResult, runSetUp } = await import('./userCalls.ts');
    const say = this.openOwnTurn(turnId, text, describeMissingCommandResult(command));
    return await runSetUp({ command, turnId }, this.owner.calls, say, signal);
  }

  /**
   * Makes a call for the user in a turn without model. Throws while a turn runs.
   * @param text the user's words in the transcript
   */
  runOwnCall(text: string, call: UserCall): Promise<TurnEnd> {
    return this.start(async (turnId, signal) => {
      const { describeUserAction, runUserTool } = await import('./userCalls.ts');
      if (call.by === 'page') await this.owner.hooks.beginTurn();
      const wording = `${describeUserAction(call)} Whether and how it ended is not known.`;
      const say = this.openOwnTurn(turnId, text, wording);
      return await runUserTool(call, turnId, this.owner.calls, say, signal);
    });
  }

  /** Starts the user's own turn and returns how to add its result. @param wording stands there until then */
  private openOwnTurn(turnId: string, text: string, wording: string, queuedAs?: string) {
    const { transcript } = this;
    transcript.emit({ type: 'turn.started', turnId, text, attachments: [], queuedAs, wording });
    this.owner.conversation.ports.limits.refresh();
    return (said: string, blobs: readonly Blob[] = []) =>
      transcript.say([{ kind: 'text', text: said }, ...blobs.map(blob => ({ kind: 'blob', blob }) as const)]);
  }

  /** Closes calls that a bug left open, so that the history stays valid. */
  private closeCalls(): void {
    const { state, history, emit } = this.transcript;
    const cause = 'a fault of Folio';
    for (const event of openCallClosingEvents(state, history.messages, { cause })) emit(event);
  }

  private async openTurn(turnId: string, prompt: Prompt, signal: AbortSignal, queuedAs?: string) {
    const { text, attachments, wording } = prompt;
    this.transcript.emit({ type: 'turn.started', turnId, text, attachments, queuedAs, wording });
    if (areDone(this.transcript.state.todos)) this.transcript.emit({ type: 'todos.changed', todos: [] });
    this.transcript.say(await this.readPrompt(turnId, prompt, signal, queuedAs));
  }

  /** Adds prompts for the running turn to the history. A removed prompt is always added. */
  private async steer(signal: AbortSignal): Promise<void> {
    const news = this.owner.programs.takeNews();
    if (news !== undefined) this.transcript.say([{ kind: 'text', text: news }], 'meanwhile');
    while (!signal.aborted) {
      const prompt = this.queue.takeSteering();
      if (!prompt) return;
      const parts = await this.readPrompt(prompt.id, prompt, signal, prompt.id);
      this.transcript.say([{ kind: 'text', text: meanwhile }, ...parts], 'meanwhile');
    }
  }

  /** @param id of the prompt in the transcript */
  private async readPrompt(
    id: string,
    { text, attachments, wording = text }: Prompt,
    signal: AbortSignal,
    queuedAs: string | undefined,
  ): Promise<readonly Part[]> {
    const { hooks, services } = this.owner;
    const { mentions: reader, environmentContext: context } = services;
    const added = await hooks.beforeAgent(wording, signal);
    // Mentions count only in the user's text, since the wording may contain files or command output.
    const { parts, mentions } = await reader.read(text, attachments, signal);
    const editorContext = await context.next(signal, queuedAs);
    const known = context.selection === undefined ? mentions : [...mentions, context.selection];
    if (known.length > 0) this.transcript.emit({ type: 'mentions.read', turnId: id, mentions: known });
    return [...promptParts({ text: wording, attachments, editorContext, parts }), ...added];
  }

  private delegate(signal: AbortSignal): TurnDelegate {
    return {
      calls: this.owner.calls,
      findReachedBudget: async () => {
        await this.watch.measure();
        return this.watch.findReachedBudget();
      },
      steer: () => this.steer(signal),
      goesOn: (answer, stopping) => this.watch.goesOn(answer, stopping),
      untilRetryNow: () =>
        new Promise<void>(resolve => {
          this.wakeRetry = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
  }
}

/** True if all items of a list are finished; the next prompt then starts a new list. */
function areDone(todos: readonly Todo[]): boolean {
  return todos.length > 0 && todos.every(({ status }) => status === 'completed' || status === 'cancelled');
}
