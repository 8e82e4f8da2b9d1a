/*
 * Scores how well a query matches a path that contains its letters in order. It rewards consecutive letters, starts of
 * words and folders, the file name before its folders, equal case, and shorter paths:
 *
 *     inv        in   src/invoice.ts          beginning of the name, in a row
 *     fbs        in   src/fooBarStore.ts      beginnings of words
 *     src/tax    in   src/lib/tax.ts          across folders
 */

export interface RankEntry {
  /** With `/`; a folder ends with one. */
  readonly path: string;
  /** The same string if nothing is in upper case. */
  readonly lower: string;
  /** Start of the searchable part. Earlier parts only match absolute queries. */
  readonly begin: number;
  /** Offsets in `path`: where the base name starts, where its extension starts, and the end. */
  readonly base: number;
  readonly stem: number;
  readonly end: number;
  /** Folders above it. */
  readonly depth: number;
  /** Bit set of its characters, to reject most entries in one operation. */
  readonly mask: number;
}

export interface MatchQuery {
  readonly raw: string;
  readonly lower: string;
  readonly isAbsolute: boolean;
  readonly mask: number;
  /** Reusable buffers for scores of two letters. */
  readonly rows: readonly [Float64Array, Float64Array];
}

/** @param begin index of the workspace folder's name in an absolute path */
export function makeRankEntry(path: string, begin = 0): RankEntry {
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

export function makeMatchQuery(text: string): MatchQuery {
  const raw = text
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .replace(/\s+/g, '');
  const lower = lowerCase(raw);
  const isAbsolute = /^([\\/]|[a-z]:)/i.test(text);
  const rows = [new Float64Array(widest), new Float64Array(widest)] as const;
  return { raw, lower, isAbsolute, mask: maskOf(lower), rows };
}

/** Length of the path's end in which scattered letters are searched. */
const widest = 260;

/**
 * Quick estimate, exact except for letters scattered over several folders; negative: no match. Zero if it matches but
 * cannot exceed `worst`.
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
  if (query.lower.length * (letter + sameCase + inRow) + startPoints < worst)
    return holds(lower, query.lower, begin) ? 0 : -1;
  const inPath = rowScore(entry, query, begin);
  if (inPath >= 0) return fitting(inPath + placePenalty(entry));
  if (!holds(lower, query.lower, begin)) return -1;
  return fitting(query.lower.length * letter - farApart + placePenalty(entry));
}

/** A match never scores below zero, however long the path is. */
function fitting(score: number): number {
  return Math.max(0, score);
}

/** Like `quickScore`, with scattered letters placed optimally. */
export function exactScore(entry: RankEntry, query: MatchQuery): number {
  const quick = quickScore(entry, query);
  if (quick < 0) return quick;
  const begin = query.isAbsolute ? 0 : entry.begin;
  return Math.max(quick, scatteredScore(entry, query, begin) + placePenalty(entry));
}

const letter = 16;
const inRow = 15;
const gap = 3;
/** Deduction for letters not placed optimally yet. Such entries are scored exactly if they lead. */
const farApart = 20;
const sameCase = 1;
/** Points if a match begins a folder or file name. */
const startPoints = 18;

/** Best score for consecutive letters from `from` on; negative: none. */
function rowScore(entry: RankEntry, { raw, lower: wanted }: MatchQuery, from: number): number {
  let best = -1;
  const perfect = wanted.length * (letter + sameCase + inRow) - inRow + startPoints;
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
 * Places the letters optimally by dynamic programming over the query's letters: the best score ending at each position,
 * directly after the previous letter or after a gap.
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
      // A match that ended two or more positions earlier leaves a gap.
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
  if (at === 0) return startPoints;
  const before = path.charCodeAt(at - 1);
  if (before === slash) return startPoints;
  // . - _ and space
  if (before === 46 || before === 45 || before === 95 || before === 32) return 13;
  const here = path.charCodeAt(at);
  const isUpper = here >= 65 && here <= 90;
  const wasUpper = before >= 65 && before <= 90;
  return isUpper && !wasUpper ? 12 : 0;
}

/** Rewards a query inside the file name by the share that it covers. */
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

/** One bit per letter; digits, signs and others share the remaining bits. */
function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else mask |= 1 << (26 + (code % 6));
  }
  return mask;
}

/** Converts per character, so that indices stay equal. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const one = text[at]!.toLowerCase();
    return one.length === 1 ? one : text[at];
  }).join('');
}
