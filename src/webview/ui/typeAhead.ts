/* Jumps in a list by the first letters of an entry. */

import { hasModifier } from './keys.ts';

/** Maximum milliseconds between letters of one search. */
const pause = 700;

interface TypeAhead {
  /** Returns the matching entry; `undefined` if the key is no letter or nothing matches. */
  find(event: KeyboardEvent, entries: readonly HTMLElement[]): HTMLElement | undefined;
}

/** @param textOf returns the text to search; by default all text of the entry */
export function createTypeAhead(textOf = (entry: HTMLElement) => entry.textContent ?? ''): TypeAhead {
  let typed = '';
  let typedAt = Number.NEGATIVE_INFINITY;
  return {
    find: (event, entries) => {
      if (event.key.length !== 1 || hasModifier(event) || event.isComposing) return undefined;
      const isNew = event.timeStamp - typedAt > pause;
      // A space belongs to the search only after another letter.
      if (event.key === ' ' && isNew) return undefined;
      typed = isNew ? event.key.toLowerCase() : typed + event.key.toLowerCase();
      typedAt = event.timeStamp;
      // A repeated letter cycles through the entries that begin with it.
      const isRepeated = [...typed].every(letter => letter === typed[0]);
      const sought = isRepeated ? typed[0]! : typed;
      const at = entries.findIndex(entry => entry.contains(document.activeElement));
      const from = at + (isRepeated ? 1 : 0);
      const inTurn = [...entries.slice(Math.max(from, 0)), ...entries.slice(0, Math.max(from, 0))];
      return inTurn.find(entry => textOf(entry).trim().toLowerCase().startsWith(sought));
    },
  };
}
