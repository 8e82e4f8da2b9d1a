import type { RunToolCall } from '../calls/calling.ts';
import { Transcript } from '../recording/transcript.ts';
import type { ClosedAgent } from '../recording/workClosingEvents.ts';
import type { NestedTaskOptions } from '../tool.ts';
import type { AgentEnd } from './agentEnd.ts';
import { LocalAgentRun } from './localAgentRun.ts';
import type { AgentLocks } from './makeExclusiveAccess.ts';
import type { AgentTask } from './nestedRun.ts';
import { type ParentSession, reportToParent } from './parentSession.ts';
import type { OpenRemoteConversation } from './remoteAgentRun.ts';
import { ScriptTask } from './scriptTask.ts';
import { SerialQueue } from './serialQueue.ts';

/** Runs the subagents of a session. Several may run, but only one at a time writes, runs commands or asks. */
export class SubagentRunner {
  private readonly sender: ParentSession;
  private readonly locks: AgentLocks = { writing: new SerialQueue(), asking: new SerialQueue() };
  private readonly working = new Map<string, { stop(): void }>();
  /** Conversations with agents on other servers, which their next task continues. */
  private readonly talks = new Map<string, OpenRemoteConversation>();

  constructor(sender: ParentSession) {
    this.sender = sender;
  }

  /** Runs a subagent. Rejects with the signal's reason on abort, once nothing of it is open. */
  async send(task: AgentTask, signal: AbortSignal): Promise<AgentEnd> {
    const work = await this.begin(task);
    this.working.set(task.callId, work);
    try {
      return await work.run(signal);
    } finally {
      this.working.delete(task.callId);
    }
  }

  /** Starts the work of a script, whose calls are cards under the script's call. */
  async open(task: NestedTaskOptions, make: RunToolCall, signal: AbortSignal): Promise<ScriptTask> {
    const onClosed = () => void this.working.delete(task.callId);
    const work = new ScriptTask(task, make, this.sender, this.locks, signal, onClosed);
    await work.begin();
    this.working.set(task.callId, work);
    return work;
  }

  private async begin({ kind, ...task }: AgentTask) {
    if (kind.remote === undefined) return new LocalAgentRun({ ...task, kind }, this.sender, this.locks);
    const { RemoteAgentRun } = await import('./remoteAgentRun.ts');
    return new RemoteAgentRun({ ...task, kind }, this.sender, this.talks);
  }

  /** Reports the end of agents that were running when the host stopped. */
  close(closed: readonly ClosedAgent[]): void {
    for (const { callId, agent, events } of closed) {
      const journal = this.sender.journals.make(callId, agent.name);
      const transcript = new Transcript(journal.record, { state: agent.session });
      reportToParent(transcript, { callId, agent: agent.name }, this.sender.conversation.transcript);
      for (const event of events) transcript.emit(event);
      void journal.close();
    }
  }

  /** Resolves once all their events are on disk, or a failure was reported. */
  flush(): Promise<void> {
    return this.sender.journals.flush();
  }

  /** Stops the agent of this call. Returns false if it does not run. */
  stop(callId: string): boolean {
    const work = this.working.get(callId);
    work?.stop();
    return work !== undefined;
  }
}
