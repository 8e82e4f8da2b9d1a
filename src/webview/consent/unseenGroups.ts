/* Groups customizations of a workspace by kind, with texts about each kind and its effect. */

import { formatList, plural, t } from '../../protocol/language.ts';
import type { CustomizationKind, UnseenItem } from '../../protocol/panel/customizations.ts';

export interface UnseenGroup {
  readonly kind: CustomizationKind;
  /** For example `2 servers`. */
  readonly count: string;
  readonly meaning: string;
  /** True for kinds that start programs. These are always listed. */
  readonly isProgram: boolean;
  readonly items: readonly UnseenItem[];
}

interface Words {
  readonly count: (count: number) => string;
  readonly meaning: string;
  readonly isProgram?: true;
}

/** Kinds in the order of display, the most powerful first. */
const kinds = (): Readonly<Record<CustomizationKind, Words>> => ({
  hook: {
    count: count => plural(count, 'one: {0} hook | other: {0} hooks'),
    meaning: t("Programs that run before and after Folio's actions, with your permissions."),
    isProgram: true,
  },
  server: {
    count: count => plural(count, 'one: {0} server | other: {0} servers'),
    meaning: t(
      'Programs that start with your rights, and services that are called. They give tools to Folio, and to another agent that drives a session if your rules allow all of them.',
    ),
    isProgram: true,
  },
  tools: {
    count: count => plural(count, 'one: {0} tool program | other: {0} tool programs'),
    meaning: t('Programs that run with your rights to say which tools they have, and whenever one is used.'),
    isProgram: true,
  },
  settings: {
    count: count => plural(count, 'one: {0} settings file | other: {0} settings files'),
    meaning: t(
      'Values that count here before yours, such as the model or the names of files with instructions.',
    ),
  },
  extension: {
    count: count => plural(count, 'one: {0} extension | other: {0} extensions'),
    meaning: t('Bundles of servers, commands, hooks, skills and instructions.'),
  },
  command: {
    count: count => plural(count, 'one: {0} command | other: {0} commands'),
    meaning: t('Prompts that you send with a slash. They may ask to run programs.'),
  },
  agent: {
    count: count => plural(count, 'one: {0} agent | other: {0} agents'),
    meaning: t('Instructions for agents that Folio may send out.'),
  },
  skill: {
    count: count => plural(count, 'one: {0} skill | other: {0} skills'),
    meaning: t('Instructions that Folio reads when a task calls for them.'),
  },
});

export function groupUnseen(unseen: readonly UnseenItem[]): readonly UnseenGroup[] {
  const words = kinds();
  return (Object.keys(words) as CustomizationKind[]).flatMap(kind => {
    const own = unseen.filter(item => item.kind === kind);
    const { count, meaning, isProgram = false } = words[kind];
    return own.length > 0 ? [{ kind, count: count(own.length), meaning, isProgram, items: own }] : [];
  });
}

/** Returns for example `2 servers, 3 commands and 1 agent`. */
export function describeGroups(groups: readonly UnseenGroup[]): string {
  return formatList(groups.map(({ count }) => count));
}
