/* Jumping in a list by the first letters of an entry. */

import { hasModifier } from './keys.ts';

/** Letters that follow each other faster than this are one word, in milliseconds. */
const pause = 700;

interface TypeAhead {
  /** The entry that the typed letters lead to; `undefined` when the key is no letter or leads nowhere. */
  find(event: KeyboardEvent, entries: readonly HTMLElement[]): HTMLElement | undefined;
}

/** @param textOf what the letters are compared with; the entry's whole text without it */
export function createTypeAhead(textOf = (entry: HTMLElement) => entry.textContent ?? ''): TypeAhead {
  let typed = '';
  let typedAt = Number.NEGATIVE_INFINITY;
  return {
    find: (event, entries) => {
      if (event.key.length !== 1 || hasModifier(event) || event.isComposing) return undefined;
      const isNew = event.timeStamp - typedAt > pause;
      // A space presses what has the focus unless it stands within a word.
      if (event.key === ' ' && isNew) return undefined;
      typed = isNew ? event.key.toLowerCase() : typed + event.key.toLowerCase();
      typedAt = event.timeStamp;
      // The same letter again and again walks the entries that begin with it.
      const isRepeated = [...typed].every(letter => letter === typed[0]);
      const sought = isRepeated ? typed[0]! : typed;
      const at = entries.findIndex(entry => entry.contains(document.activeElement));
      const from = at + (isRepeated ? 1 : 0);
      const inTurn = [...entries.slice(Math.max(from, 0)), ...entries.slice(0, Math.max(from, 0))];
      return inTurn.find(entry => textOf(entry).trim().toLowerCase().startsWith(sought));
    },
  };
}
