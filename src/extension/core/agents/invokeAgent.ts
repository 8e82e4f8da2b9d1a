import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';
import { dataOf } from '../recording/rebuiltResult.ts';
import { defineTool, type Tool, ToolFailure, type ToolResult } from '../tool.ts';
import { type AgentEnd, describeWork, unfinishedText } from './agentEnd.ts';
import type { AgentKind } from './agentKind.ts';
import type { Agents } from './agents.ts';

const input = later(() =>
  z.object({
    agent_name: z.string(),
    prompt: z.string().trim().min(1).describe('Goal, what is known, what to report'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

/** It reads, as far as the scheduler and the policy go: each call of the agent is judged by itself. */
export function invokeAgent(
  kinds: () => ReadonlyMap<string, AgentKind>,
  agents: Pick<Agents, 'send'>,
): Tool<Input, AgentKind> {
  return defineTool({
    name: 'invoke_agent',
    description: 'Sends an agent out for a task; the result is its report.',
    input,
    effect: 'read',
    windsUp: true,
    isOffered: () => kinds().size > 0,
    title: ({ agent_name, prompt }) => `${oneLine(agent_name, 60)}: ${oneLine(prompt, 150)}`,
    prepare: async ({ agent_name }) => ({ plan: findAgent(agent_name, kinds()) }),
    run: async ({ prompt }, kind, { callId, signal }) => {
      const end = await agents.send({ kind, callId, prompt }, signal);
      if (end.kind === 'reported') return describeReport(end);
      throw new ToolFailure(unfinishedText(kind.name, end), () => oneLine(end.shown(), 200));
    },
  });
}

function findAgent(name: string, kinds: ReadonlyMap<string, AgentKind>): AgentKind {
  const kind = kinds.get(name.trim());
  if (kind) return kind;
  const nearest = nearestNames(name, [...kinds.keys()]).join(', ');
  throw new ToolFailure(`There is no agent "${oneLine(name, 100)}". The nearest are ${nearest}.`, () =>
    t('No such agent'),
  );
}

function describeReport(end: Extract<AgentEnd, { kind: 'reported' }>): ToolResult {
  const { report } = end;
  return {
    text: dataOf(report),
    display: { summary: () => describeWork(end), detail: { kind: 'report', report } },
  };
}
