import { hasTool, type PromptFacts } from '../facts.ts';

/** Names and descriptions alone: what a skill says is loaded when it is used. */
export function skills(facts: PromptFacts): string | undefined {
  const { skills: known = [] } = facts;
  if (known.length === 0 || !hasTool(facts, 'activate_skill')) return undefined;
  const list = known.map(({ name, description }) => `- ${name}: ${description}`);
  return `# Skills\nInstructions for special work. When a task fits one, load it with \`activate_skill\` before you begin.\n${list.join('\n')}`;
}
