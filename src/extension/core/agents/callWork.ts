/* Work under a call's card that makes calls of its own, without a model: a script of tools. It is recorded as the work of an agent is. */

import type { SessionEventBody, TurnEnd } from '../../../protocol/events.ts';
import type { Caller, MakeCall, ResultPart } from '../calls/calling.ts';
import { Transcript } from '../recording/transcript.ts';
import type { AnyTool, OpenedWork, WorkTask } from '../tool.ts';
import type { AgentJournal } from './agentJournals.ts';
import { besideOthers, type Lanes } from './besideOthers.ts';
import { type Sender, tellSender } from './sender.ts';

/** Waiting for others takes no time of it: the script's clock stands while a call is open. */
const timeless = { hold: () => {}, release: () => {} };

export class CallWork implements OpenedWork {
  private readonly task: WorkTask;
  private readonly sender: Sender;
  private readonly make: MakeCall;
  private readonly journal: AgentJournal;
  private readonly transcript: Transcript;
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();
  private readonly turnId: string;
  private readonly caller: Caller;
  readonly signal: AbortSignal;

  /** @param make makes a call as the one who called does */
  constructor(task: WorkTask, make: MakeCall, sender: Sender, lanes: Lanes, outer: AbortSignal) {
    const { callId, name } = task;
    this.task = task;
    this.make = make;
    this.sender = sender;
    this.signal = AbortSignal.any([outer, this.stopping.signal, this.ending.signal]);
    this.turnId = sender.conversation.ports.clock.newId();
    this.journal = sender.journals.make(callId, name);
    this.transcript = new Transcript(this.journal.record);
    this.caller = this.makeCaller(lanes);
    tellSender(this.transcript, { callId, agent: name }, sender.conversation.transcript);
  }

  /** The user wants nothing more of it. */
  stop(): void {
    this.stopping.abort(new DOMException('The user stopped this script', 'AbortError'));
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  async begin(): Promise<void> {
    const { callId: sessionId, text } = this.task;
    const { folders, mode } = this.sender.conversation.transcript.state;
    const model = this.sender.routing.working;
    await this.journal.begin();
    this.emit({ type: 'session.started', sessionId, folders, model, mode });
    this.emit({ type: 'turn.started', turnId: this.turnId, text, attachments: [] });
  }

  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<ResultPart> {
    const id = this.sender.conversation.ports.clock.newId();
    return this.make({ kind: 'call', id, name: tool.name, args }, this.caller, this.signal);
  }

  cancel(reason: string): void {
    this.ending.abort(new DOMException(reason, 'AbortError'));
  }

  async close(end: TurnEnd): Promise<void> {
    this.emit({ type: 'turn.ended', turnId: this.turnId, end });
    await this.journal.close();
  }

  private emit(event: SessionEventBody): void {
    this.transcript.emit(event);
  }

  private makeCaller(lanes: Lanes): Caller {
    const { transcript, sender } = this;
    const { tools } = this.task;
    return {
      ...sender.calls.caller,
      tools,
      emit: transcript.emit,
      hooks: sender.hooks.beside(transcript.emit).calls,
      memory: undefined,
      beside: besideOthers(lanes, timeless, this.signal),
      works: undefined,
      forScript: true,
    };
  }
}
