import { iterate } from '../../../protocol/pagedList.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { searchable } from './sessionCatalog.ts';

/**
 * Returns the id of the first chapter with the most words of a query in its title, prompts, answers and files;
 * `undefined` if the title of the session has them all, or no chapter has one.
 */
export function findChapter({ title, chapters }: SessionState, query: string): string | undefined {
  const words = searchable(query).split(/\s+/).filter(Boolean);
  const countIn = (text: string) => words.filter(word => text.includes(word)).length;
  if (countIn(searchable(title)) === words.length) return undefined;
  let found: { readonly id: string; readonly count: number } | undefined;
  for (const chapter of chapters) {
    const texts = [chapter.title, ...chapter.files.map(({ path }) => path)];
    for (const item of iterate(chapter.items))
      if (item.type === 'prompt' || item.type === 'text') texts.push(item.text);
    const count = countIn(searchable(texts.join('\n')));
    if (count > (found?.count ?? 0)) found = { id: chapter.id, count };
  }
  return found?.id;
}
