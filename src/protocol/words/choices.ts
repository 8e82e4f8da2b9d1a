/* Names lasting permissions of an ask for users. */

import type { Ask } from '../asks.ts';
import { t } from '../language.ts';
import type { AlwaysChoice } from '../permissions.ts';

interface NamedChoice extends AlwaysChoice {
  /** Fits on a button. */
  readonly short: string;
}

/**
 * Returns the choices of an ask. Those of a command say that any arguments are allowed. Hooks and journals have the
 * plain name of the ask.
 */
export function namedChoices({ always, subject }: Pick<Ask, 'always' | 'subject'>): readonly NamedChoice[] {
  // Journals of earlier versions have a sentence here, or nothing.
  if (!Array.isArray(always)) return [];
  // A choice of scope `once` means that a command needs more of the sandbox. The choices then grant that.
  const isOfSandbox = always.some(({ scope }) => scope === 'once');
  const isOfCommand = subject.kind === 'command' && !isOfSandbox;
  return always.map(({ label, ...choice }: AlwaysChoice) =>
    isOfCommand
      ? { ...choice, label: t('{0} with any arguments', label), short: `${label} *` }
      : { ...choice, label, short: label },
  );
}
