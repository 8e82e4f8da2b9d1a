import { useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';

/** Returns the words of the search that the listed sessions answer, as an expression; `undefined` for no search. */
export function useSearchPattern(): RegExp | undefined {
  const { store } = usePanel();
  return useComputed(() => searchPattern(store.sessions.value?.query ?? '')).value;
}

/** Marks found words. */
export function HighlightedText({
  text,
  found,
}: {
  readonly text: string;
  readonly found: RegExp | undefined;
}) {
  if (!found) return text;
  return splitByPattern(text, found).map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part));
}

/** Case and accents do not count, as in the host. */
function searchPattern(query: string): RegExp | undefined {
  const words = query.normalize('NFD').replace(/\p{M}/gu, '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  // The longest of words that begin alike counts.
  const letters = words
    .toSorted((a, b) => b.length - a.length)
    .map(word => word.replace(/./gu, letter => `${letter.replace(/[$()*+.?[\\\]^{|}]/, '\\$&')}\\p{M}*`));
  return new RegExp(`(${letters.join('|')})`, 'iu');
}

/** Every second part was found. */
export function splitByPattern(text: string, found: RegExp): readonly string[] {
  return text
    .normalize('NFD')
    .split(found)
    .map(part => part.normalize());
}
