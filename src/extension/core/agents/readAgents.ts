import { t } from '../../../protocol/language.ts';
import type { Customization } from '../customizations/files/customization.ts';
import type { ParsedEntries } from '../customizations/files/parsedCustomizations.ts';
import type { AgentDefinition } from './agentDefinition.ts';
import { builtInAgents } from './builtInAgents.ts';
import { parseAgents } from './parseAgent.ts';

/**
 * Reads agents from files, by name. For a duplicate name, the workspace precedes the user, and the user an extension;
 * the others are named by source and name. So is an agent with the name of a built-in one. Never rejects.
 * @param items the least important first
 */
export async function readAgents(items: readonly Customization[]): Promise<ParsedEntries<AgentDefinition>> {
  const problems: string[] = [];
  const entries = new Map<string, AgentDefinition>();
  const named: { readonly item: Customization; readonly agent: AgentDefinition }[] = [];
  for (const item of items) {
    for (const parsed of await parseAgents(item)) {
      if (parsed.kind === 'unusable') problems.push(parsed.problem);
      else {
        problems.push(...parsed.remarks);
        named.push({ item, agent: parsed.agent });
      }
    }
  }
  const taken = new Map(builtInAgents.map(({ name }) => [name, t('one of Folio')]));
  for (const { item, agent } of named.toReversed()) {
    const owner = taken.get(agent.name);
    const name = owner === undefined ? agent.name : `${sourceOf(item)}:${agent.name}`;
    if (entries.has(name)) {
      problems.push(
        t(
          'The agent {0} is ignored: another agent of the same origin has the name {1}.',
          item.path,
          agent.name,
        ),
      );
      continue;
    }
    if (owner === undefined) taken.set(agent.name, t('the one in {0}', item.path));
    else
      problems.push(
        t('The agent {0} is named {1} here, because {2} is {3}.', item.path, name, agent.name, owner),
      );
    entries.set(name, { ...agent, name });
  }
  return { entries, problems };
}

/** Returns all agents, built-in ones first. */
export function withBuiltIn(own: ReadonlyMap<string, AgentDefinition>): ReadonlyMap<string, AgentDefinition> {
  return new Map([...builtInAgents.map(agent => [agent.name, agent] as const), ...own]);
}

/** @param added absent: no customizations. @param isForbidden tells whether a rule denies the agent */
export function allowedAgents(
  added: { readonly agentDefinitions: ReadonlyMap<string, AgentDefinition> } | undefined,
  isForbidden: (name: string) => boolean,
): ReadonlyMap<string, AgentDefinition> {
  const kinds = added?.agentDefinitions ?? withBuiltIn(new Map());
  return new Map([...kinds].filter(([name]) => !isForbidden(name)));
}

function sourceOf({ origin }: Customization): string {
  return origin.kind === 'extension' ? origin.name : origin.kind;
}
