import { plural } from '../../base/text.ts';
import type { SectionName } from '../prompt/sectionNames.ts';
import { joinLines, type PromptFacts } from '../prompt/sections/facts.ts';
import { sectionText } from '../prompt/systemPrompt.ts';
import type { LocalAgent } from './agentKind.ts';
import { docsPlaceholder } from './builtInAgents.ts';

/** Composes a subagent's system prompt: its role, how to finish, and the relevant sections of the session's prompt. */
export function agentPrompt(kind: LocalAgent, facts: PromptFacts): string {
  const own = `You are ${kind.name}, an agent that Folio, a coding agent in a user's editor, has sent out for one task of a larger work.\n\n${kind.prompt.trim().replaceAll(docsPlaceholder, () => facts.docs ?? 'a folder that was not found')}`;
  const sections = sectionsOf[kind.briefing].map(name => sectionText(name, factsFor(name, facts)));
  return [own, manner(kind), ...sections].filter(text => text !== undefined && text !== '').join('\n\n');
}

const sectionsOf: Readonly<Record<LocalAgent['briefing'], readonly SectionName[]>> = {
  reading: ['safety', 'environment', 'memory'],
  working: ['mandates', 'operations', 'safety', 'environment', 'git', 'skills', 'memory'],
};

/** A user may approve calls, but a subagent cannot ask them what to do. */
function factsFor(name: SectionName, facts: PromptFacts): PromptFacts {
  return name === 'mandates' ? { ...facts, interactive: false } : facts;
}

function manner({ maxTurns, maxMs, briefing }: LocalAgent): string {
  const minutes = plural(Math.max(1, Math.round(maxMs / 60_000)), 'minute');
  return joinLines(
    '# Your task',
    `- The first message is the task and all you know of the work around it. Nobody answers questions: where it is open, take the plainest reading and say so in the report.`,
    `- End with \`complete_task\`. Who sent you reads nothing but its arguments, so put all of it there: facts, paths with lines, names, what you could not find out. An answer without a call ends nothing.`,
    `- You have ${plural(maxTurns, 'step')} and ${minutes}. Hand in what you have before they are used up.`,
    briefing === 'reading' &&
      `- Put independent calls into one answer: they run side by side. Search first, then read the ranges that matter. Paths are absolute or relative to the first workspace folder.`,
  );
}
