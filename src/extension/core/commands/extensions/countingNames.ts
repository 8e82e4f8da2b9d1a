/* Finds the names under which things of extensions count once they meet those of everybody else. */

import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import { parseAgents } from '../../agents/parseAgent.ts';
import { readAgents } from '../../agents/readAgents.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import type { NameItems } from '../../extensions/install/brought.ts';
import { ownNameOf, readSkills } from '../../skills/skills.ts';
import type { ExtensionAccess, NameCommands } from '../commands.ts';
import { readCustomCommands } from '../custom/readCustomCommands.ts';

/** @param items all that counts, the least important first; names are missing for what cannot be used */
export async function countingNames(
  items: readonly Customization[],
  name: NameCommands,
): Promise<ReadonlyMap<Customization, string>> {
  const of = (kind: Customization['kind']) => items.filter(item => item.kind === kind);
  const named = await Promise.all([
    nameCommands(of('command'), of('skill'), name),
    nameAgents(of('agent')),
    ...of('skill').map(async item => [[item, await ownNameOf(item)] as const]),
  ]);
  return new Map(named.flat().flatMap(([item, name]) => (name === undefined ? [] : [[item, name] as const])));
}

/** @param without an extension whose things are replaced */
export function namingAmong(
  { additions, nameCommands: name }: Pick<ExtensionAccess, 'additions' | 'nameCommands'>,
  without?: string,
): NameItems {
  return own => {
    const others = additions.all.list.flatMap(({ item, state }) =>
      state === 'enabled' && (without === undefined || extensionOf(item.origin)?.name !== without)
        ? [item]
        : [],
    );
    // Things of an extension come first: what the user and the workspace wrote counts for more.
    return countingNames([...own, ...others], name);
  };
}

type Named = readonly (readonly [Customization, string | undefined])[];

async function nameCommands(
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
      // One that shares its name got that of its source.
      const counting = names.map(name => (entries.has(`${source}:${name}`) ? `${source}:${name}` : name));
      return [item, counting.join(', ') || undefined] as const;
    }),
  );
}
