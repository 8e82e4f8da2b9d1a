/*
 * How well a query fits a path whose letters hold it in this order. What a user has in mind when typing a few
 * letters of a path: letters in a row, beginnings of words and of folders, the file's own name before its folders,
 * the case as typed, and the shorter path where all else is equal.
 *
 *     inv        in   src/invoice.ts          beginning of the name, in a row
 *     fbs        in   src/fooBarStore.ts      beginnings of words
 *     src/tax    in   src/lib/tax.ts          across folders
 */

export interface RankEntry {
  /** With `/`; a folder ends with one. */
  readonly path: string;
  /** The same string where nothing is in upper case. */
  readonly lower: string;
  /** Where the part begins that a user has in mind; more before it is only heeded when they type it from the start. */
  readonly begin: number;
  /** Where its own name begins, where it ends without its extension, and where it ends. */
  readonly base: number;
  readonly stem: number;
  readonly end: number;
  /** Folders above it. */
  readonly depth: number;
  /** Which characters it holds, so that most entries are dropped by one operation. */
  readonly mask: number;
}

export interface MatchQuery {
  readonly raw: string;
  readonly lower: string;
  /** Typed from the root of the disk. */
  readonly isAbsolute: boolean;
  readonly mask: number;
  /** Room for the scores of two letters, so that it is not asked for again with each path. */
  readonly rows: readonly [Float64Array, Float64Array];
}

/** @param begin of an absolute path: where the name of its workspace folder stands */
export function makeEntry(path: string, begin = 0): RankEntry {
  const lower = lowerCase(path);
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  let depth = 0;
  for (let at = begin; at < end; at++) if (path.charCodeAt(at) === slash) depth++;
  const base = path.lastIndexOf('/', end - 1) + 1;
  const dot = path.lastIndexOf('.');
  return {
    path,
    lower: lower === path ? path : lower,
    begin,
    base,
    end,
    depth,
    stem: dot > base ? dot : end,
    mask: maskOf(lower),
  };
}

export function makeQuery(text: string): MatchQuery {
  const raw = text
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .replace(/\s+/g, '');
  const lower = lowerCase(raw);
  const isAbsolute = /^([\\/]|[a-z]:)/i.test(text);
  const rows = [new Float64Array(widest), new Float64Array(widest)] as const;
  return { raw, lower, isAbsolute, mask: maskOf(lower), rows };
}

/** Characters of a path, from its end, among which scattered letters are placed. */
const widest = 260;

/**
 * A quick estimate, exact but for letters scattered over several folders; negative: it does not fit. Zero where it
 * fits but cannot come above `worst`.
 */
export function quickScore(entry: RankEntry, query: MatchQuery, worst = -1): number {
  if ((entry.mask & query.mask) !== query.mask) return -1;
  const { lower, base } = entry;
  const begin = query.isAbsolute ? 0 : entry.begin;
  const direct = rowScore(entry, query, base);
  if (direct >= 0) return fitting(direct + nameBonus(entry, query));
  if (holds(lower, query.lower, base)) {
    return fitting(scatteredScore(entry, query, base) + nameBonus(entry, query));
  }
  if (query.lower.length * (letter + sameCase + inRow) + maxStartLength < worst)
    return holds(lower, query.lower, begin) ? 0 : -1;
  const inPath = rowScore(entry, query, begin);
  if (inPath >= 0) return fitting(inPath + placePenalty(entry));
  if (!holds(lower, query.lower, begin)) return -1;
  return fitting(query.lower.length * letter - farApart + placePenalty(entry));
}

/** However long the path is that costs points, what fits does. */
function fitting(score: number): number {
  return Math.max(0, score);
}

/** As `quickScore`, with letters in several folders put where they fit best. */
export function exactScore(entry: RankEntry, query: MatchQuery): number {
  const quick = quickScore(entry, query);
  if (quick < 0) return quick;
  const begin = query.isAbsolute ? 0 : entry.begin;
  return Math.max(quick, scatteredScore(entry, query, begin) + placePenalty(entry));
}

const letter = 16;
const inRow = 15;
const gap = 3;
/** Letters nobody has placed yet stay behind those in a row, and are tried again if they lead. */
const farApart = 20;
const sameCase = 1;
/** Points for the beginning of a folder or file name. */
const maxStartLength = 18;

/** The best place where the query stands in a row, from `from` on; negative: there is none. */
function rowScore(entry: RankEntry, { raw, lower: wanted }: MatchQuery, from: number): number {
  let best = -1;
  const perfect = wanted.length * (letter + sameCase + inRow) - inRow + maxStartLength;
  for (let at = entry.lower.indexOf(wanted, from); at >= 0; at = entry.lower.indexOf(wanted, at + 1)) {
    let score = wanted.length * letter + (wanted.length - 1) * inRow + startBonus(entry.path, at);
    for (let i = 0; i < raw.length; i++) {
      if (raw.charCodeAt(i) === entry.path.charCodeAt(at + i)) score += sameCase;
    }
    if (score > best) best = score;
    if (best >= perfect) break;
  }
  return best;
}

/**
 * The best way to put the letters one after the other, by dynamic programming over the letters of the query: the
 * best that ends at each place, either right behind the one before or after a gap.
 */
function scatteredScore(entry: RankEntry, query: MatchQuery, begin: number): number {
  const { path, lower } = entry;
  const { raw, lower: wanted } = query;
  const from = Math.max(begin, lower.length - widest);
  const width = lower.length - from;
  let [before, now] = query.rows;
  let best = -1;
  for (let i = 0; i < wanted.length; i++) {
    const code = wanted.charCodeAt(i);
    const typed = raw.charCodeAt(i);
    best = -1;
    let bestBefore = -1;
    for (let at = 0; at < width; at++) {
      // A match that ended two places ago or earlier leaves a gap.
      if (i > 0 && at >= 2 && before[at - 2]! > bestBefore) bestBefore = before[at - 2]!;
      now[at] = -1;
      if (lower.charCodeAt(from + at) !== code) continue;
      const start = startBonus(path, from + at);
      const own = letter + (typed === path.charCodeAt(from + at) ? sameCase : 0);
      let score = i === 0 ? own + start : -1;
      if (i > 0) {
        const previous = at >= 1 ? before[at - 1]! : -1;
        if (previous >= 0) score = previous + own + inRow;
        if (bestBefore >= 0) score = Math.max(score, bestBefore + own + start - gap);
      }
      now[at] = score;
      if (score > best) best = score;
    }
    [before, now] = [now, before];
  }
  return best;
}

const slash = 47;

function startBonus(path: string, at: number): number {
  if (at === 0) return maxStartLength;
  const before = path.charCodeAt(at - 1);
  if (before === slash) return maxStartLength;
  // . - _ and space
  if (before === 46 || before === 45 || before === 95 || before === 32) return 13;
  const here = path.charCodeAt(at);
  const isUpper = here >= 65 && here <= 90;
  const wasUpper = before >= 65 && before <= 90;
  return isUpper && !wasUpper ? 12 : 0;
}

/** The query is in the file's own name: the more of it, the better. */
function nameBonus(entry: RankEntry, { lower }: MatchQuery): number {
  const { base, stem, end } = entry;
  const typedTo = base + lower.length;
  const isWhole = (typedTo === end || typedTo === stem) && entry.lower.startsWith(lower, base);
  return (
    40 + (isWhole ? 40 : 0) + (20 * lower.length) / Math.max(lower.length, end - base) + placePenalty(entry)
  );
}

function placePenalty({ path, begin, depth }: RankEntry): number {
  return -depth - (path.length - begin) * 0.05;
}

function holds(text: string, wanted: string, from: number): boolean {
  let at = from;
  for (let i = 0; i < wanted.length; i++) {
    at = text.indexOf(wanted[i]!, at);
    if (at < 0) return false;
    at++;
  }
  return true;
}

/** One bit for each letter, the rest shared by digits, signs and everything else. */
function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else mask |= 1 << (26 + (code % 6));
  }
  return mask;
}

/** Character by character, so that a place in one is the same place in the other. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const one = text[at]!.toLowerCase();
    return one.length === 1 ? one : text[at];
  }).join('');
}
