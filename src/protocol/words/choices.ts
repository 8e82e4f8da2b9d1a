/* Names lasting permissions of an ask for users. */

import type { Ask } from '../asks.ts';
import type { AlwaysChoice } from '../permissions.ts';

/**
 * Returns the choices of an ask. A command gets an ellipsis, as in the list of permissions, since any arguments are
 * allowed. Hooks and journals have the plain name of the ask.
 */
export function namedChoices({ always, subject }: Pick<Ask, 'always' | 'subject'>): readonly AlwaysChoice[] {
  // Journals of earlier versions have a sentence here, or nothing.
  if (!Array.isArray(always)) return [];
  // A choice of scope `once` means that a command needs more of the sandbox. The choices then grant that.
  const isOfSandbox = always.some(({ scope }) => scope === 'once');
  if (subject.kind !== 'command' || isOfSandbox) return always;
  return always.map((choice: AlwaysChoice) => ({ ...choice, label: `${choice.label} …` }));
}
