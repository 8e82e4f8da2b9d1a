import { expect, test } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { invokeAgent } from '../../../src/extension/core/agents/invokeAgent.ts';
import { agentPrompt } from '../../../src/extension/core/agents/localAgentRun.ts';
import { declareTool } from '../../../src/extension/core/calls/declarations.ts';
import { agents } from '../../../src/extension/core/prompt/sections/customContent.ts';
import { panelFacts } from '../prompt/facts.ts';

const byteLimit = 900;

test(`who can be sent out, and how, is told in at most ${byteLimit} bytes of the first request`, () => {
  const tool = invokeAgent(() => new Map(), { send: () => Promise.reject(new Error('Nobody.')) });
  const declared = Buffer.byteLength(JSON.stringify(declareTool(tool)));
  const section = agents({ ...panelFacts, tools: ['invoke_agent'], agents: builtInAgents });
  const reported = Buffer.byteLength(section!);
  expect(declared + reported, `${declared} for the tool, ${reported} for the section`).toBeLessThanOrEqual(
    byteLimit,
  );
});

test('the system prompt of each agent of ours stays small and is its own', () => {
  for (const kind of builtInAgents) {
    const prompt = agentPrompt(kind, { ...panelFacts, own: 'The own prompt' });
    expect(Buffer.byteLength(prompt)).toBeLessThan(kind.guidance === 'reading' ? 3_500 : 7_000);
    expect(prompt).toContain('# Safety');
    expect(prompt).toContain(`Workspace: ${panelFacts.folders[0]}`);
    expect(prompt).not.toContain('The own prompt');
    expect(prompt).not.toContain('`ask_user`');
  }
});
