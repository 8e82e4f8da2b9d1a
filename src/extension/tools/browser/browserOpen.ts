import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { oneLine } from '../../base/text.ts';
import { defineTool } from '../../core/tool.ts';
import {
  asksOnSharedTab,
  type BrowserPorts,
  convertBrowserErrors,
  describeChanges,
  type PlannedPage,
  parseWebAddress,
  requireSameTab,
  takePagePicture,
  titleWithTab,
  waitForUser,
} from './pageTools.ts';

const input = lazySchema(() =>
  z.object({
    url: z.string(),
    width: z.int().optional(),
  }),
);

export function browserOpenTool({ browser }: BrowserPorts) {
  return defineTool({
    name: 'browser_open',
    description:
      'Opens a page in a private browser, to check your work. Returns outline and errors; tools to look, click and type follow.',
    input,
    effect: 'fetch',
    isOffered: () => browser.isAvailable(),
    title: ({ url }) => titleWithTab(browser, t('Open {0}', oneLine(url))),
    prepare: async ({ url }) => {
      const urls = [parseWebAddress(url)];
      const plan: PlannedPage = { address: urls[0]!, tab: browser.sharing.present?.id };
      const subject = { kind: 'fetch', urls } as const;
      // No target: opening would navigate the user's own tab away.
      if (plan.tab !== undefined) return { plan, subject, mustAsk: asksOnSharedTab(browser) };
      return { plan, subject, target: { kind: 'urls', urls } };
    },
    run: async ({ width }, { address, tab }, call) => {
      await waitForUser(browser, call);
      requireSameTab(tab, browser);
      const changes = await convertBrowserErrors(
        browser.open(address, width && Math.min(Math.max(width, 200), 4000), call.signal),
      );
      const count = changes.consoleErrors.length + changes.failedRequests.length;
      const summary = () => (count === 0 ? t('Opened') : t('Opened, {0} errors', count));
      return describeChanges(changes, [], summary, await takePagePicture(browser, call));
    },
  });
}
