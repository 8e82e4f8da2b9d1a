import type { AnyTool } from '../tool.ts';
import type { AgentEnd } from './agentEnd.ts';
import type { AgentSession } from './agentSession.ts';
import { type AgentTask, AgentWork } from './agentWork.ts';
import type { Lanes } from './besideOthers.ts';
import { invokeAgent } from './invokeAgent.ts';
import { OneAtATime } from './oneAtATime.ts';

/** The agents that a session has sent out. Several work side by side, but one at a time writes, runs or asks. */
export class Agents {
  /** What sends them out; nothing where there is nobody. */
  readonly tools: readonly AnyTool[];
  private readonly session: AgentSession;
  private readonly lanes: Lanes = { writing: new OneAtATime(), asking: new OneAtATime() };
  private readonly working = new Map<string, AgentWork>();

  constructor(session: AgentSession) {
    this.session = session;
    const { agents } = session.around;
    this.tools = agents
      ? [invokeAgent({ kinds: agents.kinds, send: (task, signal) => this.send(task, signal) })]
      : [];
  }

  /** Ends the one that this call sent out. False: it does not work (any more). */
  stop(callId: string): boolean {
    const work = this.working.get(callId);
    work?.stop();
    return work !== undefined;
  }

  private async send(task: AgentTask, signal: AbortSignal): Promise<AgentEnd> {
    const work = new AgentWork(task, this.session, this.lanes);
    this.working.set(task.callId, work);
    try {
      return await work.run(signal);
    } finally {
      this.working.delete(task.callId);
    }
  }
}
