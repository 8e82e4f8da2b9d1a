import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';
import { fenceReport } from '../recording/rebuiltResult.ts';
import { defineTool, type PrepareResult, type Tool, ToolFailure, type ToolResult } from '../tool.ts';
import type { AgentDefinition } from './agentDefinition.ts';
import { type AgentEnd, describeUnfinished, formatStepsAndCalls } from './agentEnd.ts';
import { loginVariables, type RemoteAgentServer } from './remote/remoteAgents.ts';
import type { SubagentRunner } from './subagentRunner.ts';

const input = lazySchema(() =>
  z.object({
    agent_name: z.string(),
    prompt: z.string().trim().min(1).describe('Goal, what is known, what to report'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

/** Counts as a reader for the scheduler and the policy, since each call of the agent is classified separately. */
export function invokeAgent(
  kinds: () => ReadonlyMap<string, AgentDefinition>,
  agents: Pick<SubagentRunner, 'send'>,
): Tool<Input, AgentDefinition> {
  return defineTool({
    name: 'invoke_agent',
    description: 'Sends an agent out for a task; the result is its report.',
    input,
    effect: 'read',
    windsUp: true,
    isOffered: () => kinds().size > 0,
    title: ({ agent_name, prompt }) => `${oneLine(agent_name, 60)}: ${oneLine(prompt, 150)}`,
    prepare: async ({ agent_name }) => prepare(findAgent(agent_name, kinds())),
    run: async ({ prompt }, kind, { callId, signal }) => {
      const end = await agents.send({ kind, callId, prompt }, signal);
      if (end.kind === 'reported') return describeReport(kind.name, end);
      throw new ToolFailure(describeUnfinished(kind.name, end), () => oneLine(end.shown(), 200));
    },
  });
}

/** A local task has no effect of its own. One for another server is classified as data that leaves. */
function prepare(kind: AgentDefinition): PrepareResult<AgentDefinition> {
  const { remote } = kind;
  if (remote === undefined) return { plan: kind };
  const subject = { kind: 'other', detail: describeServer(remote) } as const;
  return { plan: kind, subject, target: { kind: 'agent', origin: remote.origin } };
}

function describeServer(remote: RemoteAgentServer): string {
  const place = escapeInvisibleText(typeof remote.card === 'string' ? remote.card : remote.card.url);
  const variables = loginVariables(remote).join(', ');
  if (variables !== '') return t('{0}, with the value of {1}', place, variables);
  return remote.login === undefined ? place : t('{0}, with the key in its file', place);
}

function findAgent(name: string, kinds: ReadonlyMap<string, AgentDefinition>): AgentDefinition {
  const kind = kinds.get(name.trim());
  if (kind) return kind;
  const nearest = nearestNames(name, [...kinds.keys()]).join(', ');
  throw new ToolFailure(`There is no agent "${oneLine(name, 100)}". The nearest are ${nearest}.`, () =>
    t('No such agent'),
  );
}

type Reported = Extract<AgentEnd, { kind: 'reported' }>;

function describeReport(name: string, end: Reported): ToolResult {
  const { report, waitsFor } = end;
  return {
    text: fenceReport(report) + (waitsFor === undefined ? '' : `\n${waitText(name, waitsFor)}`),
    display: { summary: () => formatStepsAndCalls(end), detail: { kind: 'report', report } },
  };
}

/** Tells that the next task for this agent continues the unfinished one. */
function waitText(name: string, waitsFor: NonNullable<Reported['waitsFor']>): string {
  const first =
    waitsFor === 'login'
      ? 'The user has to sign in there first: tell them, and wait until they have.'
      : 'Ask the user where you cannot know.';
  return `[${name} waits for an answer before it continues. ${first} Then call invoke_agent for it again, with the answer as the prompt.]`;
}
