import type { CallSurroundings } from '../calls/surroundings.ts';
import type { Conversation, ConversationPorts } from '../conversation/conversation.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import type { Routing } from '../routing/routing.ts';
import type { SessionPrompt } from '../session/sessionPrompt.ts';
import type { SessionSurroundings } from '../session/surroundings.ts';
import type { Turns } from '../session/turns.ts';
import type { AgentEnd } from './agentEnd.ts';
import { type AgentTask, AgentWork } from './agentWork.ts';
import type { Lanes } from './besideOthers.ts';
import { OneAtATime } from './oneAtATime.ts';

/** The session that sends agents out. */
export interface Sender {
  readonly conversation: Conversation;
  readonly prompt: SessionPrompt;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  readonly turns: Turns;
  /** Permissions, approvals and files are the session's. */
  readonly calls: () => CallSurroundings;
  readonly ports: ConversationPorts & Pick<SessionSurroundings, 'policy' | 'agents' | 'resolveModel'>;
}

/** The agents that a session has sent out. Several work side by side, but one at a time writes, runs or asks. */
export class Agents {
  private readonly sender: Sender;
  private readonly lanes: Lanes = { writing: new OneAtATime(), asking: new OneAtATime() };
  private readonly working = new Map<string, AgentWork>();

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** As `InvokePorts.send`. */
  async send(task: AgentTask, signal: AbortSignal): Promise<AgentEnd> {
    const work = new AgentWork(task, this.sender, this.lanes);
    this.working.set(task.callId, work);
    try {
      return await work.run(signal);
    } finally {
      this.working.delete(task.callId);
    }
  }

  /** Ends the one that this call sent out. False: it does not work (any more). */
  stop(callId: string): boolean {
    const work = this.working.get(callId);
    work?.stop();
    return work !== undefined;
  }
}
