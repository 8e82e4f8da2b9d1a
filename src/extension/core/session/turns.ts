/*
 * The turns of a session, one at a time: what begins them, what ends them, and what waits behind them.
 *
 *   send, retry, a waiting prompt ─► turn ─► rested ─► the next waiting prompt
 *                                      └───► anything else: what waits continues waiting, until the user continues
 */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { Blob, Part, QueuedPrompt, TurnEnd } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import type { Todo } from '../../../protocol/values.ts';
import { ownCommandOf } from '../../../protocol/words/ownCommand.ts';
import { SessionClosed } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { Calling } from '../calls/calling.ts';
import type { Changes } from '../changes/changes.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { failureOf, type TurnDelegate } from '../conversation/turn.ts';
import type { ExternalSession } from '../external/externalSession.ts';
import { promptParts } from '../history/promptParts.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import { HookStop } from '../hooks/stops.ts';
import type { SessionPrograms } from '../programs/runningPrograms.ts';
import { PromptFileError } from '../prompt/promptFile.ts';
import type { SessionPrompt } from '../prompt/sessionPrompt.ts';
import type { Recorder } from '../recording/recorder.ts';
import { closeOpenCalls } from '../recording/restore.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { Routing } from '../routing/routing.ts';
import type { OwnCall } from './ownCommand.ts';
import { PromptQueue } from './promptQueue.ts';
import type { Rewinds } from './rewinds.ts';
import { TurnWatch } from './turnWatch.ts';
import type { WorkPlaces } from './workPlaces.ts';
import type { Workplace } from './workplace.ts';

/** The session whose turns these are. */
interface TurnOwner {
  readonly external: ExternalSession;
  readonly conversation: Conversation;
  readonly prompt: SessionPrompt;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  readonly calls: Calling;
  readonly recorder: Recorder;
  readonly rewinds: Rewinds;
  readonly changes: Changes;
  readonly programs: Pick<SessionPrograms, 'takeNews'>;
  readonly workplace: Pick<Workplace, 'briefing' | 'mentions' | 'tools' | 'workspace'>;
}

/** A user's prompt. `wording`: the model reads this in place of the text. */
type Prompt = Pick<QueuedPrompt, 'text' | 'attachments' | 'wording' | 'command'>;

/** The work of a turn, to its end. */
type TurnWork = (turnId: string, signal: AbortSignal) => Promise<TurnEnd>;

/** Puts what a turn begins with into the history. */
type TurnOpening = (turnId: string, signal: AbortSignal) => Promise<void>;

export type QueueHow = QueuedPrompt['when'] | 'stopAndSend';
/** `setUp`: at once, in a session that rests; the rules that hold for commands of the agent hold for it. */
export type CommandHow = QueueHow | 'setUp';

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
    this.watch = new TurnWatch(owner.conversation, owner.workplace.tools.checkWork);
    transcript.onEvent(({ type }) => this.places?.hear(type));
    transcript.onAgentEvent(({ event }) => this.places?.hear(event.type));
  }

  /** It works, and does not wait for the user. */
  get isAtWork(): boolean {
    const { status } = this.transcript.state.activity;
    return this.busy && status !== 'waiting' && status !== 'choosing';
  }

  private get places(): WorkPlaces | undefined {
    return this.owner.workplace.workspace.places;
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** The agent of another maker, where one drives the session. */
  get external(): ExternalSession {
    return this.owner.external;
  }

  /** Checks the budgets of the turn that runs and of the session. */
  findReachedBudget(): ReachedBudget | undefined {
    // A subagent does not wait for it, and its next step counts with what this finds.
    void this.watch.measure();
    return this.watch.findReachedBudget();
  }

  /** The journal was read back: what it warned of is known. */
  resume(): void {
    this.watch.resume();
    // Nobody starts them but the user: the line ended with its window.
    for (const { id } of this.transcript.state.queue) this.queue.setAhead(id, undefined);
  }

  /** Resolves when the agent rests again. Throws when a turn is running. */
  send(prompt: Prompt, queuedAs?: string): Promise<TurnEnd> {
    if (prompt.command)
      return this.start((turnId, signal) => this.runCommand(turnId, prompt, signal, queuedAs));
    return this.begin((turnId, signal) => this.openTurn(turnId, prompt, signal, queuedAs));
  }

  /**
   * Sends a prompt now when the agent rests; else it waits, is read at the next step, or ends the turn that runs.
   * Resolves with the end of its turn, and with `undefined` once it waits.
   */
  async submit(prompt: Prompt, how: CommandHow): Promise<TurnEnd | undefined> {
    if (how === 'setUp') return this.start((turnId, signal) => this.setUp(turnId, prompt, signal));
    if (!this.running)
      return this.places?.isFull ? await this.waitInLine(prompt, this.places) : this.send(prompt);
    // The model cannot be told of a command before it ran.
    const when = how === 'steer' && !prompt.command ? 'steer' : 'next';
    const { id } = this.queue.add({ ...prompt, when });
    return how === 'stopAndSend' ? this.sendNow(id) : undefined;
  }

  /** It is on the disk then: the session may be a new one. */
  private async waitInLine(prompt: Prompt, places: WorkPlaces): Promise<undefined> {
    const { id } = this.queue.add({ ...prompt, when: 'next' });
    const isWaiting = () => !this.running && !this.closed && this.queue.has(id);
    places.wait({
      get isWaiting() {
        return isWaiting();
      },
      start: () => this.sendNext(id),
      report: ahead => this.queue.setAhead(id, ahead),
    });
    await this.owner.recorder.begin();
  }

  /** Ends the turn that runs, for a prompt that waits. `undefined`: it waits no longer, or another was faster. */
  async sendNow(id: string): Promise<TurnEnd | undefined> {
    // A second press, or one that came too late, must not end the turn that the prompt itself began.
    if (!this.queue.has(id)) return undefined;
    if (this.running) await this.stop('The user sent another prompt');
    if (this.running || this.closed) return undefined;
    const prompt = this.queue.claim(id);
    return prompt && this.sendClaimed(prompt);
  }

  /** Continues with a turn that failed, was stopped or reached its limit. */
  retry(): Promise<TurnEnd> {
    return this.begin(async turnId => {
      this.transcript.emit({ type: 'turn.retried', turnId });
      // An answer that was cut off stands as the model's; only a word from the user can follow it.
      if (this.transcript.history.messages.at(-1)?.role !== 'user') {
        this.transcript.say([{ kind: 'text', text: 'Continue from where you stopped.' }]);
      }
    });
  }

  /**
   * Resolves when the agent rests; at once when it does already.
   * @param why what the model reads of the calls that did not finish
   */
  async stop(why = 'The user stopped the agent'): Promise<void> {
    await this.abort(new DOMException(why, 'AbortError'));
  }

  /** Nothing that waits begins any more. */
  async close(why: string): Promise<void> {
    this.closed = true;
    await this.abort(new SessionClosed(why));
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
    this.places?.enter(this);
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
    // A stop that came as the agent rested was meant for all of it.
    if (end.kind === 'rested' && !signal.aborted) this.sendNext();
    if (!this.running) this.places?.leave(this);
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
        // Rules and permissions are read with it.
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
      if (error instanceof HookStop) return { kind: 'hook', reason: error.message };
      if (error instanceof PromptFileError) {
        return { kind: 'failed', trouble: { kind: 'promptFile', message: error.message } };
      }
      throw error;
    }
  }

  /** The one place where a bug of any part below is caught. */
  private failed(error: unknown): TurnEnd {
    this.owner.conversation.ports.log.error('A turn failed unexpectedly', error);
    this.closeCalls();
    const message = t(
      'Internal error in Folio ({0}). Retry, or see the log with "Folio: Open Log".',
      messageOf(error),
    );
    return { kind: 'failed', trouble: { kind: 'bug', message } };
  }

  /** A command of the user: a turn in which no model is asked. */
  private async runCommand(
    turnId: string,
    { text }: Prompt,
    signal: AbortSignal,
    queuedAs?: string,
  ): Promise<TurnEnd> {
    const command = ownCommandOf(text) ?? text;
    const { describeLost, runOwnCommand } = await import('./ownCommand.ts');
    const say = this.openOwnTurn(turnId, text, describeLost(command), queuedAs);
    return await runOwnCommand({ command, turnId }, this.owner.calls, say, signal);
  }

  private async setUp(turnId: string, { text }: Prompt, signal: AbortSignal): Promise<TurnEnd> {
    const command = ownCommandOf(text) ?? text;
    const { describeLost, runSetUp } = await import('./ownCommand.ts');
    const say = this.openOwnTurn(turnId, text, describeLost(command));
    return await runSetUp({ command, turnId }, this.owner.calls, say, signal);
  }

  /**
   * Makes a call of the user: a turn in which no model is asked. Throws when a turn is running.
   * @param text the user's words, as the transcript shows them
   */
  runOwnCall(text: string, call: OwnCall): Promise<TurnEnd> {
    return this.start(async (turnId, signal) => {
      const { describeDeed, runOwnTool } = await import('./ownCommand.ts');
      if (call.by === 'page') await this.owner.hooks.beginTurn();
      const wording = `${describeDeed(call)} Whether and how it ended is not known.`;
      const say = this.openOwnTurn(turnId, text, wording);
      return await runOwnTool(call, turnId, this.owner.calls, say, signal);
    });
  }

  /** Returns the way to put into the history what the user did. @param wording stands there until then */
  private openOwnTurn(turnId: string, text: string, wording: string, queuedAs?: string) {
    const { transcript } = this;
    transcript.emit({ type: 'turn.started', turnId, text, attachments: [], queuedAs, wording });
    this.owner.conversation.ports.limits.refresh();
    return (said: string, blobs: readonly Blob[] = []) =>
      transcript.say([{ kind: 'text', text: said }, ...blobs.map(blob => ({ kind: 'blob', blob }) as const)]);
  }

  /** A call that a bug left open must not make the history unusable for the next prompt. */
  private closeCalls(): void {
    const { state, history, emit } = this.transcript;
    const cause = 'a fault of Folio';
    for (const event of closeOpenCalls(state, history.messages, { cause })) emit(event);
  }

  private async openTurn(
    turnId: string,
    prompt: Prompt,
    signal: AbortSignal,
    queuedAs?: string,
  ): Promise<void> {
    const { transcript } = this;
    const { text, attachments, wording } = prompt;
    transcript.emit({ type: 'turn.started', turnId, text, attachments, queuedAs, wording });
    if (areDone(transcript.state.todos)) transcript.emit({ type: 'todos.changed', todos: [] });
    transcript.say(await this.readPrompt(turnId, prompt, signal));
  }

  /** Words of the user for the turn that runs. Once they are taken out of the queue they reach the history. */
  private async steer(signal: AbortSignal): Promise<void> {
    const news = this.owner.programs.takeNews();
    if (news !== undefined) this.transcript.say([{ kind: 'text', text: news }], 'meanwhile');
    while (!signal.aborted) {
      const prompt = this.queue.takeSteering();
      if (!prompt) return;
      const parts = await this.readPrompt(prompt.id, prompt, signal);
      this.transcript.say([{ kind: 'text', text: meanwhile }, ...parts], 'meanwhile');
    }
  }

  /** @param id of the prompt in the transcript */
  private async readPrompt(
    id: string,
    { text, attachments, wording = text }: Prompt,
    signal: AbortSignal,
  ): Promise<readonly Part[]> {
    const { hooks, workplace } = this.owner;
    const { mentions: reader, briefing } = workplace;
    const added = await hooks.beforeAgent(wording, signal);
    // Only what the user wrote names things: a wording may hold what files and commands say.
    const { parts, mentions } = await reader.read(text, attachments, signal);
    const editorContext = await briefing.next(signal);
    const known = briefing.selection === undefined ? mentions : [...mentions, briefing.selection];
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

/** Says whether nothing of a list is left to do: the next prompt then begins a new one. */
function areDone(todos: readonly Todo[]): boolean {
  return todos.length > 0 && todos.every(({ status }) => status === 'completed' || status === 'cancelled');
}
