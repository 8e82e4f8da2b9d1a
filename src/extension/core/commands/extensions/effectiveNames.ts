/* Finds the names of extensions' things after conflicts with all others are resolved. */

import { isRecord } from '../../../base/record.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import { parseAgents } from '../../agents/parseAgent.ts';
import { readAgents } from '../../agents/readAgents.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import type { NameItems } from '../../extensions/install/extensionItems.ts';
import { ownNameOf, readSkills } from '../../skills/skills.ts';
import type { ExtensionAccess, NameCommands, NameTools } from '../commands.ts';
import { readCustomCommands } from '../custom/readCustomCommands.ts';

type Naming = Pick<ExtensionAccess, 'nameCommands' | 'nameTools'>;

/**
 * For a server, these are the names of its tools, as far as known before it runs.
 * @param items everything enabled, the least important first; unusable things get no name
 */
export async function effectiveNames(
  items: readonly Customization[],
  { nameCommands, nameTools }: Naming,
): Promise<ReadonlyMap<Customization, string>> {
  const of = (kind: Customization['kind']) => items.filter(item => item.kind === kind);
  const named = await Promise.all([
    nameOwnCommands(of('command'), of('skill'), nameCommands),
    nameAgents(of('agent')),
    nameServerTools(of('server'), nameTools),
    ...of('skill').map(async item => [[item, await ownNameOf(item)] as const]),
  ]);
  return new Map(named.flat().flatMap(([item, name]) => (name === undefined ? [] : [[item, name] as const])));
}

/** @param without an extension whose things are replaced */
export function makeNameItems(
  { additions, ...naming }: Naming & Pick<ExtensionAccess, 'additions'>,
  without?: string,
): NameItems {
  return own => {
    const others = additions.all.list.flatMap(({ item, state }) =>
      state === 'enabled' && (without === undefined || extensionOf(item.origin)?.name !== without)
        ? [item]
        : [],
    );
    // Things of an extension come first, since those of the user and the workspace take precedence.
    return effectiveNames([...own, ...others], naming);
  };
}

type Named = readonly (readonly [Customization, string | undefined])[];

async function nameOwnCommands(
  commands: readonly Customization[],
  skills: readonly Customization[],
  name: NameCommands,
): Promise<Named> {
  const [custom, ofSkills] = await Promise.all([readCustomCommands(commands), readSkills(skills)]);
  const names = name([...custom.entries.values()], [...ofSkills.entries.values()]);
  return commands.map(item => [item, names.get(item.path)] as const);
}

async function nameAgents(agents: readonly Customization[]): Promise<Named> {
  const { entries } = await readAgents(agents);
  return Promise.all(
    agents.map(async item => {
      const source = item.origin.kind === 'extension' ? item.origin.name : item.origin.kind;
      const parsed = await parseAgents(item);
      const names = parsed.flatMap(each => (each.kind === 'unusable' ? [] : [each.agent.name]));
      // In a conflict, it was named after its source.
      const counting = names.map(name => (entries.has(`${source}:${name}`) ? `${source}:${name}` : name));
      return [item, counting.join(', ') || undefined] as const;
    }),
  );
}

/** Omits servers replaced by another of the same name: only the last runs. */
function nameServerTools(servers: readonly Customization[], nameTools: NameTools): Named {
  const running = new Map(servers.map(item => [item.name, item]));
  return [...running.values()].map(item => {
    const { includeTools, excludeTools } = isRecord(item.value) ? item.value : {};
    const excluded = textsOf(excludeTools);
    if (!Array.isArray(includeTools)) return [item, `${nameTools([{ server: item.name, tool: '' }])[0]}…`];
    const tools = textsOf(includeTools).filter(tool => !excluded.includes(tool));
    return [item, nameTools(tools.map(tool => ({ server: item.name, tool }))).join(', ') || undefined];
  });
}

/** An entry may contain a tool's arguments; only the name counts. */
function textsOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
  return texts.map(text => text.split('(', 1)[0]!.trim());
}
