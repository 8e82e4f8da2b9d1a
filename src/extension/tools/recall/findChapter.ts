interface Named {
  readonly number: number;
  readonly title: string;
}

/** Titles that share fewer of their words are another chapter's. */
const leastShared = 0.5;

/** By number, by title, else the one whose title is most like it. */
export function findChapter<Chapter extends Named>(
  chapters: readonly Chapter[],
  wanted: string,
): Chapter | undefined {
  const name = wanted.trim().toLowerCase();
  const number = /^(?:chapter\s+)?#?(\d+)\b/.exec(name)?.[1];
  const exact = chapters.findLast(({ title }) => title !== '' && title.toLowerCase() === name);
  if (exact) return exact;
  const numbered = number === undefined ? undefined : chapters.find(each => each.number === Number(number));
  if (numbered) return numbered;
  if (/^(the )?opening$/.test(name)) return chapters.find(({ title }) => title === '');
  const likeness = chapters.map(({ title }) => sharedWords(wordsOf(title), wordsOf(name)));
  const best = Math.max(0, ...likeness);
  return best >= leastShared ? chapters[likeness.lastIndexOf(best)] : undefined;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Share of the shorter one's words that the other has too. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shorter = Math.min(a.size, b.size);
  return shorter === 0 ? 0 : [...a].filter(word => b.has(word)).length / shorter;
}
