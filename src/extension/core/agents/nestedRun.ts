import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { TurnEnd } from '../../../protocol/events.ts';
import { messageOf } from '../../base/errors.ts';
import type { AgentHooks } from '../hooks/sessionHooks.ts';
import { Transcript } from '../recording/transcript.ts';
import { workClosingEvents } from '../recording/workClosingEvents.ts';
import type { AgentDefinition } from './agentDefinition.ts';
import type { AgentRecorder } from './agentJournals.ts';
import { type ParentSession, reportToParent } from './parentSession.ts';

export interface AgentTask<Kind extends AgentDefinition = AgentDefinition> {
  readonly kind: Kind;
  /** The call that started it. */
  readonly callId: string;
  readonly prompt: string;
}

/** Tells the caller that the user stopped the agent. */
export const stoppedByUserNote =
  'The user stopped it: do not send it out for the same again unless they ask.';

interface RunTask {
  readonly callId: string;
  /** Name of the agent, or `script`. */
  readonly name: string;
  /** First message of its turn. */
  readonly text: string;
}

/** Journal, turn and end of work under a call: a subagent, wherever it runs, or a script. */
export class NestedRun {
  readonly transcript: Transcript;
  readonly hooks: AgentHooks;
  private readonly task: RunTask;
  private readonly sender: ParentSession;
  private readonly journal: AgentRecorder;
  private readonly stopping = new AbortController();
  private readonly turnId: string;

  constructor(task: RunTask, sender: ParentSession) {
    const { name, callId } = task;
    this.task = task;
    this.sender = sender;
    this.turnId = sender.conversation.ports.clock.newId();
    this.journal = sender.journals.make(callId, name);
    this.transcript = new Transcript(this.journal.record);
    this.hooks = sender.hooks.beside(this.transcript.emit);
  }

  /** Forwards events to the caller. Call it after the last fold, so that listeners find current state. */
  connect(): void {
    const { callId, name } = this.task;
    reportToParent(this.transcript, { callId, agent: name }, this.sender.conversation.transcript);
  }

  /** Aborted when the user stopped only this work. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** @param why for the model, about unfinished calls */
  stop(why = 'The user stopped this agent'): void {
    this.stopping.abort(new DOMException(why, 'AbortError'));
  }

  begin(): Promise<void> {
    return this.journal.begin();
  }

  /** Starts the work's session and turn. */
  open(model: string): void {
    const { text, callId: sessionId } = this.task;
    const { transcript, turnId } = this;
    const { folders, mode } = this.sender.conversation.transcript.state;
    transcript.emit({ type: 'session.started', sessionId, folders, model, mode });
    transcript.emit({ type: 'turn.started', turnId, text, attachments: [] });
  }

  /** Rejects only with the reason of the outer signal, or for a bug. Leaves nothing open. */
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
      for (const event of workClosingEvents(transcript.state, cut, messageOf(error))) transcript.emit(event);
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

  /** Returns a reached budget of the session. The step limit of its turn does not count an agent's steps. */
  findReachedBudget(): ReachedBudget | undefined {
    const reached = this.sender.turns.findReachedBudget();
    return reached?.kind === 'steps' ? undefined : reached;
  }
}
