import { oneLine } from '../../../base/text.ts';
import { hasTool, type PromptEntry, type PromptFacts } from './facts.ts';

/** Lists the agents that the model can send out. */
export function agents(facts: PromptFacts): string | undefined {
  const { agents: known = [] } = facts;
  if (known.length === 0 || !hasTool(facts, 'invoke_agent')) return undefined;
  return `# Agents\nSend one out with \`invoke_agent\` for a task of its own whose details you need not see; it knows only what you tell it. Several in one answer work side by side.\n${entryList(known)}`;
}

export function skills(facts: PromptFacts): string | undefined {
  const { skills: known = [] } = facts;
  if (known.length === 0 || !hasTool(facts, 'activate_skill')) return undefined;
  return `# Skills\nInstructions for special work. When a task fits one, load it with \`activate_skill\` before you begin.\n${entryList(known)}`;
}

/** Characters of all descriptions together: each request pays for them. */
const room = 12_000;
const least = 60;

function entryList(entries: readonly PromptEntry[]): string {
  const whole = entries.reduce((sum, { description }) => sum + description.length, 0);
  const each = whole <= room ? Infinity : Math.max(least, Math.floor(room / entries.length));
  return entries.map(({ name, description }) => `- ${name}: ${oneLine(description, each)}`).join('\n');
}
