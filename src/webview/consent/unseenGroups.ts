/* Groups the things of a workspace by kind, with words for each kind and for the effect of letting it work. */

import type { CustomizationKind, UnseenItem } from '../../protocol/panel/customizations.ts';
import { plural } from '../ui/format.ts';

export interface UnseenGroup {
  readonly kind: CustomizationKind;
  /** `2 servers`. */
  readonly count: string;
  readonly meaning: string;
  /** It starts programs: each is read before it may. */
  readonly isProgram: boolean;
  readonly items: readonly UnseenItem[];
}

interface Words {
  readonly one: string;
  readonly meaning: string;
  readonly isProgram?: true;
}

/** In this order; what can do most comes first. */
const kinds: Readonly<Record<CustomizationKind, Words>> = {
  hook: { one: 'hook', meaning: "Programs that run around Folio's work, with your rights.", isProgram: true },
  server: {
    one: 'server',
    meaning: 'Programs that start with your rights, and services that are called. They give Folio tools.',
    isProgram: true,
  },
  tools: {
    one: 'tool program',
    meaning: 'Programs that run with your rights to say which tools they have, and whenever one is used.',
    isProgram: true,
  },
  settings: {
    one: 'settings file',
    meaning:
      'Values that count here before yours, such as the model or the names of files with instructions.',
  },
  extension: { one: 'extension', meaning: 'Bundles of servers, commands, hooks, skills and instructions.' },
  command: { one: 'command', meaning: 'Prompts that you send with a slash. They may ask to run programs.' },
  agent: { one: 'agent', meaning: 'Instructions for agents that Folio may send out.' },
  skill: { one: 'skill', meaning: 'Instructions that Folio reads when a task calls for them.' },
};

export function groupUnseen(unseen: readonly UnseenItem[]): readonly UnseenGroup[] {
  return (Object.keys(kinds) as CustomizationKind[]).flatMap(kind => {
    const own = unseen.filter(item => item.kind === kind);
    const { one, meaning, isProgram = false } = kinds[kind];
    return own.length > 0 ? [{ kind, count: plural(own.length, one), meaning, isProgram, items: own }] : [];
  });
}

/** `2 servers, 3 commands and 1 agent`. */
export function describeGroups(groups: readonly UnseenGroup[]): string {
  const counts = groups.map(({ count }) => count);
  const last = counts.at(-1) ?? '';
  return counts.length > 1 ? `${counts.slice(0, -1).join(', ')} and ${last}` : last;
}
