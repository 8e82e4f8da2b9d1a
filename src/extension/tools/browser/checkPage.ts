import { plural, t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import type { EditCheckResult } from '../../core/tool.ts';
import { type Browser, BrowserError, type PageProblems } from '../../platform/browser/browser.ts';

/** Reloads the open page after edits. Rejects only with the signal's reason. */
export async function checkPage(browser: Browser, signal: AbortSignal): Promise<EditCheckResult | undefined> {
  const found = await faultsOf(browser, signal);
  if (!found) return undefined;
  const { address, consoleErrors, failedRequests } = found;
  const count = consoleErrors.length + failedRequests.length;
  const page = oneLine(address, 200);
  if (count === 0) return { notice: t('{0} loads without new errors after the edits.', page) };
  const lines = [...consoleErrors, ...failedRequests.map(line => `failed request: ${line}`)];
  return {
    notice: plural(
      count,
      'one: {1} shows {0} new error after the edits. | other: {1} shows {0} new errors after the edits.',
      page,
    ),
    problems: [
      'After your edits the open page was loaded again. It reports what no result has shown yet:',
      wrapUntrusted('untrusted_content', [`Page: ${page}`, ...lines].join('\n')),
      'Mend what your work has caused. If it has caused none of this, say so in one sentence.',
    ].join('\n'),
  };
}

async function faultsOf(browser: Browser, signal: AbortSignal): Promise<PageProblems | undefined> {
  try {
    return await browser.check(signal);
  } catch (error) {
    // The server or the browser has ended, so there is nothing to check.
    if (error instanceof BrowserError) return undefined;
    throw error;
  }
}
