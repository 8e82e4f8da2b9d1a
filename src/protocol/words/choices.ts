/* How lasting permissions of an ask are named wherever a user reads them. */

import type { Ask } from '../asks.ts';
import type { AlwaysChoice } from '../permissions.ts';

/**
 * The choices of an ask, a command's with dots behind it: it is then allowed with any arguments, which the list of
 * permissions writes so, too. The ask keeps the plain name, which hooks and journals have.
 */
export function namedChoices({ always, subject }: Pick<Ask, 'always' | 'subject'>): readonly AlwaysChoice[] {
  // Journals of earlier versions hold one sentence here, or nothing.
  if (!Array.isArray(always)) return [];
  // Only where a command wants more of the sandbox may it run outside for once; the choices are about that then.
  const isOfSandbox = always.some(({ scope }) => scope === 'once');
  if (subject.kind !== 'command' || isOfSandbox) return always;
  return always.map((choice: AlwaysChoice) => ({ ...choice, label: `${choice.label} …` }));
}
