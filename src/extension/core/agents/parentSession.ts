import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import type { CallServices } from '../calls/calling.ts';
import type { EnvironmentContext } from '../context/environmentContext.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import type { Policy } from '../policy/policy.ts';
import type { SessionPrompt } from '../prompt/sessionPrompt.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { Routing } from '../routing/routing.ts';
import type { AgentJournals } from './agentJournals.ts';
import type { RemoteAgentClient } from './remote/remoteAgents.ts';

export interface ParentSession {
  readonly conversation: Conversation;
  readonly prompt: SessionPrompt;
  readonly routing: Routing;
  readonly hooks: SessionHooks;
  /** The running turn, which agents work for. */
  readonly turns: { stop(): unknown; findReachedBudget(): ReachedBudget | undefined };
  /** Shares permissions, approvals and files with the session. */
  readonly calls: CallServices;
  readonly journals: AgentJournals;
  readonly policy: Policy;
  readonly environmentContext: Pick<EnvironmentContext, 'memory' | 'forAgent'>;
  /** Absent: agents on other servers are unavailable. */
  readonly remote: RemoteAgentClient | undefined;
}

/** Forwards an agent's events to its session, after the agent's own state was updated. */
export function reportToParent(
  transcript: Transcript,
  { callId, agent }: Pick<AgentEvent, 'callId' | 'agent'>,
  sender: Transcript,
): void {
  transcript.addFold(event => sender.hearAgent({ callId, agent, event }, transcript.state));
}
