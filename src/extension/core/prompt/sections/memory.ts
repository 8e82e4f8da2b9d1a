import { hasTool, joinLines, type PromptFacts, type PromptMemory } from '../facts.ts';

export function memory(facts: PromptFacts): string | undefined {
  const saving = hasTool(facts, 'save_memory') && keep;
  if (facts.memory.length === 0 && !saving) return undefined;
  return joinLines('# Memory', saving, facts.memory.length > 0 && standing, ...facts.memory.map(block));
}

const keep = `Save to memory only lasting facts and wishes that the person wants remembered, never details of a task.`;

const standing = `Standing instructions of the person and the project. They override the defaults above, and a later file an earlier one; a direct request overrides them, and nothing lifts Safety.`;

/** The text cannot close its own block. */
function block({ path, text }: PromptMemory): string {
  return `<memory file=${JSON.stringify(path)}>\n${text.trim().replaceAll('</memory', '<\\/memory')}\n</memory>`;
}
