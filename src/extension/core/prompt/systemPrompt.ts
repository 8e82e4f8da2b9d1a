import { isSectionOmitted, type SectionName, sectionNames } from './sectionNames.ts';
import { agents, memory, servers, skills } from './sections/customContent.ts';
import { environment, safety, sandbox } from './sections/environment.ts';
import type { PromptFacts, Section } from './sections/facts.ts';
import {
  applications,
  chapters,
  efficiency,
  git,
  identity,
  mandates,
  operations,
  reminder,
  workflows,
} from './sections/work.ts';

/**
 * Composes the system prompt for one request. It comes first in requests, so each change invalidates the provider's
 * cache for the whole conversation. Facts that change during work are appended to requests instead (see
 * conversation.ts).
 */
export function systemPrompt(facts: PromptFacts): string {
  const body = facts.own === undefined ? builtIn(facts) : ownPrompt(facts.own, facts);
  return body.filter(text => text !== undefined && text !== '').join('\n\n');
}

const sections: Readonly<Record<SectionName, Section>> = {
  identity,
  mandates,
  workflows,
  applications,
  operations,
  safety,
  environment,
  sandbox,
  efficiency,
  git,
  agents,
  skills,
  servers,
  memory,
  chapters,
  reminder,
};

function builtIn(facts: PromptFacts): (string | undefined)[] {
  return sectionNames.map(name => sectionText(name, facts));
}

/** Returns nothing for a disabled or empty section. */
export function sectionText(name: SectionName, facts: PromptFacts): string | undefined {
  return isSectionOmitted(name, facts.without) ? undefined : sections[name](facts);
}

/**
 * Expands `${…}` in the user's file; unknown names stay. Memory is appended unless the file places it, so that a custom
 * prompt does not silently drop instruction files.
 */
function ownPrompt(text: string, facts: PromptFacts): (string | undefined)[] {
  const filled = text
    .trim()
    .replace(/\$\{(\w+)\}/g, (whole, key: string) => substitution(key, facts) ?? whole);
  return text.includes('${Memory}') ? [filled] : [filled, sectionText('memory', facts)];
}

function substitution(key: string, facts: PromptFacts): string | undefined {
  if (key === 'AvailableTools') return facts.tools.map(name => `- ${name}`).join('\n');
  if (key === 'SubAgents') return sectionText('agents', facts) ?? '';
  if (key === 'AgentSkills') return sectionText('skills', facts) ?? '';
  const tool = /^(\w+)_ToolName$/.exec(key)?.[1];
  if (tool !== undefined) return facts.tools.includes(tool) ? tool : undefined;
  const name = sectionNames.find(section => capitalised(section) === key);
  return name === undefined ? undefined : (sectionText(name, facts) ?? '');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
