import { messageOf } from '../../base/errors.ts';
import { testWithTimeout } from '../../platform/patterns/testWithTimeout.ts';
import { SearchError } from '../../platform/search.ts';

/** Milliseconds for the lines of one file. A line of code takes microseconds. */
const limitMs = 2_000;

/** A JavaScript regular expression by a model, with a time limit, applied to lines of files. */
export class BoundedRegExp {
  private readonly pattern: RegExp;

  /** @throws `SearchError` if the pattern is invalid */
  constructor(pattern: string, caseSensitive: boolean) {
    // ripgrep supports this inline flag; here it applies to the whole pattern.
    const inline = pattern.startsWith('(?i)');
    try {
      this.pattern = new RegExp(inline ? pattern.slice(4) : pattern, caseSensitive && !inline ? '' : 'i');
    } catch (error) {
      throw new SearchError(messageOf(error));
    }
  }

  /** @throws `SearchError` if it takes too long */
  testAll(lines: readonly string[]): readonly boolean[] {
    const found = testWithTimeout(limitMs, this.pattern, lines);
    if (found) return found;
    throw new SearchError(
      'The pattern takes too long, since it can match the same text in many ways. Use a simpler one, without repetitions of repetitions.',
    );
  }
}
