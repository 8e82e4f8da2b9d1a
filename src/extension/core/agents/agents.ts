import type { MakeCall } from '../calls/calling.ts';
import type { ClosedAgent } from '../recording/closeWork.ts';
import { Transcript } from '../recording/transcript.ts';
import type { WorkTask } from '../tool.ts';
import type { AgentEnd } from './agentEnd.ts';
import type { AgentTask } from './agentRun.ts';
import { AgentWork } from './agentWork.ts';
import { CallWork } from './callWork.ts';
import type { AgentLocks } from './exclusiveWork.ts';
import { OneAtATime } from './oneAtATime.ts';
import type { OpenTalk } from './remoteWork.ts';
import { reportSender, type Sender } from './sender.ts';

/** The agents that a session has sent out. Several work side by side, but one at a time writes, runs or asks. */
export class Agents {
  private readonly sender: Sender;
  private readonly locks: AgentLocks = { writing: new OneAtATime(), asking: new OneAtATime() };
  private readonly working = new Map<string, { stop(): void }>();
  /** Conversations with agents on other servers, which continue with their next task. */
  private readonly talks = new Map<string, OpenTalk>();

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Rejects with the signal's reason on abort, once nothing of the work is open any more. */
  async send(task: AgentTask, signal: AbortSignal): Promise<AgentEnd> {
    const work = await this.begin(task);
    this.working.set(task.callId, work);
    try {
      return await work.run(signal);
    } finally {
      this.working.delete(task.callId);
    }
  }

  /** Opens work of a script, whose calls are cards under the script's call. */
  async open(task: WorkTask, make: MakeCall, signal: AbortSignal): Promise<CallWork> {
    const onClosed = () => void this.working.delete(task.callId);
    const work = new CallWork(task, make, this.sender, this.locks, signal, onClosed);
    await work.begin();
    this.working.set(task.callId, work);
    return work;
  }

  private async begin({ kind, ...task }: AgentTask) {
    if (kind.remote === undefined) return new AgentWork({ ...task, kind }, this.sender, this.locks);
    const { RemoteWork } = await import('./remoteWork.ts');
    return new RemoteWork({ ...task, kind }, this.sender, this.talks);
  }

  /** Tells how those ended that an earlier run of the host left at work. */
  close(closed: readonly ClosedAgent[]): void {
    for (const { callId, agent, events } of closed) {
      const journal = this.sender.journals.make(callId, agent.name);
      const transcript = new Transcript(journal.record, { state: agent.session });
      reportSender(transcript, { callId, agent: agent.name }, this.sender.conversation.transcript);
      for (const event of events) transcript.emit(event);
      void journal.close();
    }
  }

  /** Everything of them so far is on the disk, or the problem has been told. */
  flush(): Promise<void> {
    return this.sender.journals.flush();
  }

  /** Ends the one that this call sent out. False: it does not work (any more). */
  stop(callId: string): boolean {
    const work = this.working.get(callId);
    work?.stop();
    return work !== undefined;
  }
}
