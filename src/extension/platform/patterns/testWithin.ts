import { type Context, createContext, Script } from 'node:vm';

const testAll = new Script('texts.map(text => pattern.test(text))');
let context: Context | undefined;

/**
 * Tests texts with a regular expression that a model, a file or a server brought. Some take longer than anybody waits:
 * `(\w+,?\s*)+;$` takes years for 43 letters, and nothing else runs meanwhile. The engine is interrupted instead.
 * @returns one answer for each text; `undefined`: it took longer than `limitMs` milliseconds
 */
export function testWithin(
  limitMs: number,
  pattern: RegExp,
  texts: readonly string[],
): readonly boolean[] | undefined {
  context ??= createContext({});
  Object.assign(context, { pattern, texts });
  try {
    return testAll.runInContext(context, { timeout: limitMs }) as readonly boolean[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
