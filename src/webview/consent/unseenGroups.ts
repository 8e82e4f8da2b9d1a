/* Groups customizations of a workspace by kind, with texts about each kind and its effect. */

import { formatList, plural, t } from '../../protocol/language.ts';
import type { CustomizationKind, PendingCustomization } from '../../protocol/panel/customizations.ts';

export interface PendingCustomizationGroup {
  readonly kind: CustomizationKind;
  /** For example `2 servers`. */
  readonly count: string;
  readonly meaning: string;
  /** True for kinds that start programs. These are always listed. */
  readonly isProgram: boolean;
  readonly items: readonly PendingCustomization[];
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
      'Programs that run with your permissions, and services on the network. They give tools to Folio, and to another agent in a session if your rules allow all of these tools.',
    ),
    isProgram: true,
  },
  tools: {
    count: count => plural(count, 'one: {0} tool program | other: {0} tool programs'),
    meaning: t('Programs that run with your permissions: once to list their tools, then for each call.'),
    isProgram: true,
  },
  settings: {
    count: count => plural(count, 'one: {0} settings file | other: {0} settings files'),
    meaning: t(
      'Values that override yours in this workspace, such as the model or the names of memory files.',
    ),
  },
  extension: {
    count: count => plural(count, 'one: {0} extension | other: {0} extensions'),
    meaning: t('Bundles of servers, commands, hooks, skills and instructions.'),
  },
  command: {
    count: count => plural(count, 'one: {0} command | other: {0} commands'),
    meaning: t('Prompts that you send by typing / and a name. They may ask to run programs.'),
  },
  agent: {
    count: count => plural(count, 'one: {0} agent | other: {0} agents'),
    meaning: t('Instructions for agents that Folio may start.'),
  },
  skill: {
    count: count => plural(count, 'one: {0} skill | other: {0} skills'),
    meaning: t('Instructions that Folio reads when a task calls for them.'),
  },
});

export function groupPendingCustomizations(
  unseen: readonly PendingCustomization[],
): readonly PendingCustomizationGroup[] {
  const words = kinds();
  return (Object.keys(words) as CustomizationKind[]).flatMap(kind => {
    const own = unseen.filter(item => item.kind === kind);
    const { count, meaning, isProgram = false } = words[kind];
    return own.length > 0 ? [{ kind, count: count(own.length), meaning, isProgram, items: own }] : [];
  });
}

/** Returns for example `2 servers, 3 commands and 1 agent`. */
export function describeGroups(groups: readonly PendingCustomizationGroup[]): string {
  return formatList(groups.map(({ count }) => count));
}
