import { type Context, createContext, Script } from 'node:vm';

const testAll = new Script('texts.map(text => pattern.test(text))');
let context: Context | undefined;

/**
 * Tests texts with an untrusted regular expression of a model, file or server, and interrupts it after a time limit.
 * `(\w+,?\s*)+;$` would take years on 43 letters and block everything else.
 * @returns one result per text; `undefined` if it took longer than `limitMs` milliseconds
 */
export function testWithTimeout(
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
