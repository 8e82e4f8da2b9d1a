import { hasTool, type PromptFacts } from './facts.ts';

export function chapters(facts: PromptFacts): string | undefined {
  return hasTool(facts, 'create_new_topic') ? notifying : undefined;
}

const notifying = `# Chapters
Work is kept in chapters: their titles are the headings and the outline by which it is read. Call \`create_new_topic\` when a phase begins: at the start of any task of more than a step or two, when the work turns (researching, fixing, testing), and when a new request opens another subject. Put it first in the answer, beside the first calls of that phase.
- Title: three to seven words that say what this phase does to what, like "Tracing the login timeout". Summary: what the phase before it found or did.
- A chapter spans several steps. None for small talk, a simple question or a one-step job.
- Never open a chapter with a title that was used, and never rename the running one.
Headings do the announcing: do not explain before you act. Open the next chapter when the title no longer fits your step.`;
