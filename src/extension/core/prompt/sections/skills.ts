import { entryList } from './entryList.ts';
import { hasTool, type PromptFacts } from './facts.ts';

/** Names and descriptions alone: what a skill says is loaded when it is used. */
export function skills(facts: PromptFacts): string | undefined {
  const { skills: known = [] } = facts;
  if (known.length === 0 || !hasTool(facts, 'activate_skill')) return undefined;
  return `# Skills\nInstructions for special work. When a task fits one, load it with \`activate_skill\` before you begin.\n${entryList(known)}`;
}
