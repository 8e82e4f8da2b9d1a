/*
 * Nested work under a call that makes calls without a model: a script of tools. It is recorded like a subagent's work.
 */

import type { TurnEnd } from '../../../protocol/events.ts';
import type { Caller, ResultPart, RunToolCall } from '../calls/calling.ts';
import type { AnyTool, NestedTask, NestedTaskOptions } from '../tool.ts';
import { type AgentLocks, makeExclusiveAccess } from './makeExclusiveAccess.ts';
import { NestedRun } from './nestedRun.ts';
import type { ParentSession } from './parentSession.ts';

/** No time limit to pause: the script's own clock stops while a call is open. */
const timeless = { hold: () => {}, release: () => {} };

export class ScriptTask implements NestedTask {
  private readonly task: NestedTaskOptions;
  private readonly sender: ParentSession;
  private readonly make: RunToolCall;
  private readonly scriptRun: NestedRun;
  private readonly ending = new AbortController();
  private readonly onClosed: () => void;
  private readonly caller: Caller;
  readonly signal: AbortSignal;

  /**
   * @param make makes calls with the caller's rights
   * @param onClosed called once nothing of it is open
   */
  constructor(
    task: NestedTaskOptions,
    make: RunToolCall,
    sender: ParentSession,
    locks: AgentLocks,
    outer: AbortSignal,
    onClosed: () => void,
  ) {
    this.task = task;
    this.make = make;
    this.sender = sender;
    this.onClosed = onClosed;
    this.scriptRun = new NestedRun(task, sender);
    this.signal = AbortSignal.any([outer, this.scriptRun.stopped, this.ending.signal]);
    this.caller = this.makeCaller(locks);
    this.scriptRun.connect();
  }

  /** Stops only this work. */
  stop(): void {
    this.scriptRun.stop('The user stopped this script');
  }

  get isStopped(): boolean {
    return this.scriptRun.isStopped;
  }

  async begin(): Promise<void> {
    await this.scriptRun.begin();
    this.scriptRun.open(this.sender.routing.working);
  }

  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<ResultPart> {
    const id = this.sender.conversation.ports.clock.newId();
    return this.make({ kind: 'call', id, name: tool.name, args }, this.caller, this.signal);
  }

  cancel(reason: string): void {
    this.ending.abort(new DOMException(reason, 'AbortError'));
  }

  async close(end: TurnEnd): Promise<void> {
    this.scriptRun.end(end);
    await this.scriptRun.close();
    this.onClosed();
  }

  private makeCaller(locks: AgentLocks): Caller {
    const { transcript, hooks } = this.scriptRun;
    const { tools } = this.task;
    return {
      ...this.sender.calls.caller,
      tools,
      emit: transcript.emit,
      hooks: hooks.calls,
      memory: undefined,
      beside: makeExclusiveAccess(locks, timeless, this.signal),
      works: undefined,
      forScript: true,
    };
  }
}
