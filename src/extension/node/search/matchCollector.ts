import { headOf } from '../../base/text.ts';
import {
  type FileTextMatches,
  type MatchLine,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../platform/search.ts';
import { BoundedRegExp } from './boundedRegExp.ts';

const maxLineLength = 2000;
/** Lines tested at once against the exclusion pattern, because starting a test costs 0.1 ms. */
const batch = 256;

/** Collects lines file by file, in order, within the query's limits. */
export class MatchCollector {
  private readonly query: TextQuery;
  private readonly dropped: BoundedRegExp | undefined;
  private readonly files = new Map<string, FileTextMatches>();
  private path = '';
  private lines: MatchLine[] = [];
  /** Lines not yet tested against the exclusion pattern. */
  private readonly waiting: MatchLine[] = [];
  private matchesInFile = 0;
  private matchesBefore = 0;
  private limited = false;

  /** @throws `SearchError` if a pattern is invalid or spans lines */
  constructor(query: TextQuery) {
    refuseLineBreaks(query);
    this.query = query;
    this.dropped =
      query.excludeLines === undefined
        ? undefined
        : new BoundedRegExp(query.excludeLines, query.caseSensitive ?? false);
  }

  /** The limit is reached, so the search can stop. */
  get isFull(): boolean {
    return this.limited;
  }

  addLine(number: number, text: string, isMatch: boolean): void {
    this.waiting.push({ number, text: text.replace(/\r?\n$/, ''), isMatch });
    if (!this.dropped || this.waiting.length >= batch) this.takeWaiting();
  }

  private takeWaiting(): void {
    const lines = this.waiting.splice(0);
    const drops = this.dropped?.testAll(lines.map(({ text }) => text)) ?? [];
    for (const [at, line] of lines.entries()) {
      if (drops[at] || (line.isMatch && !this.admit())) continue;
      this.lines.push({ ...line, text: cut(line.text) });
    }
  }

  /** Also ends the previous file. */
  startFile(path: string): void {
    this.endFile();
    this.path = path;
  }

  /** Returns whether a line of this file matches. */
  has(path: string): boolean {
    this.endFile();
    return this.files.has(path);
  }

  /** Drops the results of these files, which are searched in another way. */
  forget(paths: Iterable<string>): void {
    this.endFile();
    for (const path of paths) {
      const { lines = [] } = this.files.get(path) ?? {};
      this.matchesBefore -= lines.filter(({ isMatch }) => isMatch).length;
      this.files.delete(path);
    }
  }

  /** Drops the matches of this file, for example because it is binary. */
  dropFile(): void {
    this.lines = [];
    this.waiting.length = 0;
    this.matchesInFile = 0;
  }

  finish(): TextMatches {
    this.endFile();
    const files = [...this.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files, total: this.matchesBefore, limited: this.limited };
  }

  private endFile(): void {
    this.takeWaiting();
    if (this.matchesInFile > 0) {
      this.files.set(this.path, { path: this.path, lines: this.linesNearMatches() });
      this.matchesBefore += this.matchesInFile;
    }
    this.dropFile();
  }

  private admit(): boolean {
    const { maxPerFile, maxTotal } = this.query;
    if (maxPerFile !== undefined && this.matchesInFile >= maxPerFile) return false;
    if (this.matchesBefore + this.matchesInFile >= maxTotal) {
      this.limited = true;
      return false;
    }
    this.matchesInFile++;
    return true;
  }

  /** Keeps context lines only near a delivered match; others belonged to dropped or surplus matches. */
  private linesNearMatches(): readonly MatchLine[] {
    const { before = 0, after = 0 } = this.query;
    if (before === 0 && after === 0) return this.lines.filter(line => line.isMatch);
    const near = new Set<number>();
    for (const { isMatch, number } of this.lines) {
      if (!isMatch) continue;
      for (let each = number - before; each <= number + after; each++) near.add(each);
    }
    return this.lines.filter(line => near.has(line.number));
  }
}

/** ripgrep treats a literal line break as the end of a pattern, and an escaped one as an error. */
function refuseLineBreaks({ pattern, literal, excludeLines = '' }: TextQuery): void {
  const isRefused = literal ? pattern.includes('\n') : spansLines(pattern);
  if (isRefused || spansLines(excludeLines))
    throw new SearchError(
      'Lines are searched one by one, so a pattern with a line break matches nothing. Search for one of the lines.',
    );
}

/**
 * True if the pattern contains a line break, literal or as `\n`. Breaks within `[…]` do not count, since other characters
 * of the set can match; nor do `\s` and the like.
 */
function spansLines(pattern: string): boolean {
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at];
    if (letter === ']') isInClass = false;
    else if (letter === '[') isInClass = true;
    if (isInClass || (letter !== '\n' && letter !== '\\')) {
      if (letter === '\\') at++;
      continue;
    }
    if (letter === '\n' || pattern[++at] === 'n') return true;
  }
  return false;
}

function cut(line: string): string {
  return line.length <= maxLineLength ? line : `${headOf(line, maxLineLength)}…`;
}
