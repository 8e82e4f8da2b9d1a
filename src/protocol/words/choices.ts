import type { Ask } from '../asks.ts';
import type { AlwaysChoice } from '../permissions.ts';

/** Returns the lasting permissions that an ask offers. */
export function choicesOf({ always }: Pick<Ask, 'always'>): readonly AlwaysChoice[] {
  // Journals of earlier versions have a sentence here, or nothing.
  return Array.isArray(always) ? always : [];
}
