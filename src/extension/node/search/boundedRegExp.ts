import { createContext, Script } from 'node:vm';
import { messageOf } from '../../base/errors.ts';
import { SearchError } from '../../platform/search.ts';

/** Milliseconds for the lines of one file. A line of code takes microseconds. */
const limitMs = 2_000;

const testAll = new Script('lines.map(line => pattern.test(line))');

/**
 * A regular expression of JavaScript that a model wrote. It may take longer than anybody waits: `(\w+,?\s*)+;$` takes years
 * for 43 letters, and nothing else runs meanwhile. The engine is interrupted instead.
 */
export class BoundedRegExp {
  private readonly context: { readonly pattern: RegExp; lines: readonly string[] };

  /** @throws `SearchError` if the pattern is malformed */
  constructor(pattern: string, caseSensitive: boolean) {
    // ripgrep lets a pattern begin with this flag; here it is a flag of the whole.
    const inline = pattern.startsWith('(?i)');
    try {
      const compiled = new RegExp(inline ? pattern.slice(4) : pattern, caseSensitive && !inline ? '' : 'i');
      this.context = { pattern: compiled, lines: [] };
    } catch (error) {
      throw new SearchError(messageOf(error));
    }
    createContext(this.context);
  }

  /** @throws `SearchError` if it takes too long */
  testAll(lines: readonly string[]): readonly boolean[] {
    this.context.lines = lines;
    try {
      return testAll.runInContext(this.context, { timeout: limitMs }) as readonly boolean[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new SearchError(
        'The pattern takes too long, since it can match the same text in many ways. Use a simpler one, without repetitions of repetitions.',
      );
    }
  }
}
