import { exactScore, type MatchQuery, makeMatchQuery, quickScore, type RankEntry } from './matchScore.ts';

interface Ranked {
  /** Best first. */
  readonly best: readonly RankEntry[];
  readonly scores: readonly number[];
  /** Number of matches. */
  readonly fitting: number;
}

interface RankOptions {
  readonly limit: number;
  /** Points added to matching paths, for open or edited files. */
  readonly boost?: ReadonlyMap<string, number>;
}

/** Number of the best that are scored exactly. */
const shortlist = 200;

/**
 * Ranks one list of paths. It remembers the matches of the last query, since more typed letters can only reduce them.
 */
export class Ranking {
  private readonly entries: readonly RankEntry[];
  private last: { readonly query: string; readonly fitting: readonly RankEntry[] } | undefined;

  constructor(entries: readonly RankEntry[]) {
    this.entries = entries;
  }

  rank(text: string, options: RankOptions): Ranked {
    const query = makeMatchQuery(text);
    if (query.lower === '') return { best: [], scores: [], fitting: this.entries.length };
    const typed = `${query.isAbsolute ? '/' : ''}${query.lower}`;
    const narrowed = this.last && typed.startsWith(this.last.query);
    const found = select(narrowed ? this.last!.fitting : this.entries, query, options);
    this.last = { query: typed, fitting: found.fitting };
    return { best: found.best, scores: found.scores, fitting: found.fitting.length };
  }
}

interface Scored {
  readonly entry: RankEntry;
  readonly score: number;
}

function select(
  entries: readonly RankEntry[],
  query: MatchQuery,
  { limit, boost }: RankOptions,
): Omit<Ranked, 'fitting'> & { readonly fitting: readonly RankEntry[] } {
  const fitting: RankEntry[] = [];
  const leading: Scored[] = [];
  const room = Math.max(limit, shortlist);
  const extra = (entry: RankEntry) => (boost?.size ? (boost.get(entry.path) ?? 0) : 0);
  let worst = -1;
  for (const entry of entries) {
    const points = extra(entry);
    const quick = quickScore(entry, query, worst - points);
    if (quick < 0) continue;
    fitting.push(entry);
    const score = quick + points;
    if (score < worst) continue;
    insert(leading, { entry, score }, room);
    if (leading.length === room) worst = leading[room - 1]!.score;
  }
  const exact = leading.map(({ entry }) => ({ entry, score: exactScore(entry, query) + extra(entry) }));
  const best = exact.sort(order).slice(0, limit);
  return { best: best.map(({ entry }) => entry), scores: best.map(({ score }) => score), fitting };
}

/** Inserts in order and drops the last beyond the limit. */
function insert(leading: Scored[], scored: Scored, room: number): void {
  if (leading.length === room) {
    if (order(scored, leading[room - 1]!) > 0) return;
    leading.pop();
  }
  let low = 0;
  let high = leading.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(scored, leading[middle]!) < 0) high = middle;
    else low = middle + 1;
  }
  leading.splice(low, 0, scored);
}

function order(a: Scored, b: Scored): number {
  return b.score - a.score || (a.entry.path < b.entry.path ? -1 : 1);
}
