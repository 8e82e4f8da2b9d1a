import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { TurnEnd } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { AgentHooks } from '../hooks/sessionHooks.ts';
import { closeWork } from '../recording/closeWork.ts';
import { Transcript } from '../recording/transcript.ts';
import type { AgentRecorder } from './agentJournals.ts';
import type { AgentKind } from './agentKind.ts';
import { reportSender, type Sender } from './sender.ts';

export interface AgentTask<Kind extends AgentKind = AgentKind> {
  readonly kind: Kind;
  /** The call that sends it out. */
  readonly callId: string;
  readonly prompt: string;
}

/** Reason for the sender of an agent that the user stopped. */
export const stoppedByUser = 'The user stopped it: do not send it out for the same again unless they ask.';

interface RunTask {
  /** The call that it belongs to. */
  readonly callId: string;
  /** Name of the agent, or `script`. */
  readonly name: string;
  /** Opens its turn. */
  readonly text: string;
}

/** The journal, the turn and the end of work under a call: of an agent, wherever it works, or of a script. */
export class AgentRun {
  readonly transcript: Transcript;
  readonly hooks: AgentHooks;
  private readonly task: RunTask;
  private readonly sender: Sender;
  private readonly journal: AgentRecorder;
  private readonly stopping = new AbortController();
  private readonly turnId: string;

  constructor(task: RunTask, sender: Sender) {
    const { name, callId } = task;
    this.task = task;
    this.sender = sender;
    this.turnId = sender.conversation.ports.clock.newId();
    this.journal = sender.journals.make(callId, name);
    this.transcript = new Transcript(this.journal.record);
    this.hooks = sender.hooks.beside(this.transcript.emit);
  }

  /** Notifies the sender of each event. Called after the last fold, so that listeners find everything up to date. */
  connect(): void {
    const { callId, name } = this.task;
    reportSender(this.transcript, { callId, agent: name }, this.sender.conversation.transcript);
  }

  /** Aborted when the user stopped this work alone. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** @param why what the model reads of calls that did not finish */
  stop(why = 'The user stopped this agent'): void {
    this.stopping.abort(new DOMException(why, 'AbortError'));
  }

  begin(): Promise<void> {
    return this.journal.begin();
  }

  /** Opens the session and the turn of the work. */
  open(model: string): void {
    const { text, callId: sessionId } = this.task;
    const { transcript, turnId } = this;
    const { folders, mode } = this.sender.conversation.transcript.state;
    transcript.emit({ type: 'session.started', sessionId, folders, model, mode });
    transcript.emit({ type: 'turn.started', turnId, text, attachments: [] });
  }

  /** Rejects only with the reason of the outer signal, and for a bug. Nothing of it is open afterwards. */
  async run<Done extends { readonly end: TurnEnd }>(
    outer: AbortSignal,
    work: (signal: AbortSignal) => Promise<Done>,
  ): Promise<Done> {
    const { transcript } = this;
    await this.begin();
    try {
      const done = await work(AbortSignal.any([outer, this.stopped]));
      this.end(done.end);
      outer.throwIfAborted();
      return done;
    } catch (error) {
      const cut = { cause: 'a fault of Folio' } as const;
      for (const event of closeWork(transcript.state, cut, messageOf(error))) transcript.emit(event);
      throw error;
    } finally {
      await this.close();
    }
  }

  end(end: TurnEnd): void {
    this.transcript.emit({ type: 'turn.ended', turnId: this.turnId, end });
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  /** A budget of the session; the steps of its turn are not those of an agent. */
  findReachedBudget(): ReachedBudget | undefined {
    const reached = this.sender.turns.findReachedBudget();
    return reached?.kind === 'steps' ? undefined : reached;
  }
}
