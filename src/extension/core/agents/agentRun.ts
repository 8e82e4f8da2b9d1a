import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { TurnEnd } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { AgentHooks } from '../hooks/sessionHooks.ts';
import { closeWork } from '../recording/closeWork.ts';
import { Transcript } from '../recording/transcript.ts';
import type { AgentJournal } from './agentJournals.ts';
import type { AgentKind } from './agentKind.ts';
import { type Sender, tellSender } from './sender.ts';

export interface AgentTask<Kind extends AgentKind = AgentKind> {
  readonly kind: Kind;
  /** The call that sends it out. */
  readonly callId: string;
  readonly prompt: string;
}

/** Reason for the sender of an agent that the user stopped. */
export const stoppedByUser = 'The person stopped it: do not send it out for the same again unless they ask.';

/** The journal, the turn and the end of an agent's run, wherever the agent works. */
export class AgentRun {
  readonly transcript: Transcript;
  readonly hooks: AgentHooks;
  private readonly task: AgentTask;
  private readonly sender: Sender;
  private readonly journal: AgentJournal;
  private readonly stopping = new AbortController();
  private readonly turnId: string;

  constructor(task: AgentTask, sender: Sender) {
    const { kind, callId } = task;
    this.task = task;
    this.sender = sender;
    this.turnId = sender.conversation.ports.clock.newId();
    this.journal = sender.journals.make(callId, kind.name);
    this.transcript = new Transcript(this.journal.record);
    this.hooks = sender.hooks.beside(this.transcript.emit);
  }

  /** Notifies the sender of each event. Called after the last fold, so that listeners find everything up to date. */
  connect(): void {
    const { callId, kind } = this.task;
    tellSender(this.transcript, { callId, agent: kind.name }, this.sender.conversation.transcript);
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  stop(): void {
    this.stopping.abort(new DOMException('The person stopped this agent', 'AbortError'));
  }

  /** Opens the session and the turn of the agent. */
  open(model: string): void {
    const { prompt: text, callId: sessionId } = this.task;
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
    const { transcript, turnId } = this;
    await this.journal.begin();
    try {
      const done = await work(AbortSignal.any([outer, this.stopping.signal]));
      transcript.emit({ type: 'turn.ended', turnId, end: done.end });
      outer.throwIfAborted();
      return done;
    } catch (error) {
      const cut = { cause: 'a fault of Folio' } as const;
      for (const event of closeWork(transcript.state, cut, messageOf(error))) transcript.emit(event);
      throw error;
    } finally {
      await this.journal.close();
    }
  }

  /** A budget of the session; the steps of its turn are not those of an agent. */
  findReachedBudget(): ReachedBudget | undefined {
    const reached = this.sender.turns.findReachedBudget();
    return reached?.kind === 'steps' ? undefined : reached;
  }
}
