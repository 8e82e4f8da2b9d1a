import { entryList } from './entryList.ts';
import { hasTool, type PromptFacts } from './facts.ts';

/** Lists the agents that the model can send out. */
export function agents(facts: PromptFacts): string | undefined {
  const { agents: known = [] } = facts;
  if (known.length === 0 || !hasTool(facts, 'invoke_agent')) return undefined;
  return `# Agents\nSend one out with \`invoke_agent\` for a task of its own whose details you need not see; it knows only what you tell it. Several in one answer work side by side.\n${entryList(known)}`;
}
