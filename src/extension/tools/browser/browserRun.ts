import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { defineTool } from '../../core/tool.ts';
import {
  asksOnSharedTab,
  type BrowserPorts,
  convertBrowserErrors,
  describeChanges,
  describeUserChanges,
  isBrowserInUse,
  requireOpenPage,
  requireSamePage,
  titleWithTab,
  waitForUser,
} from './pageTools.ts';

const input = lazySchema(() => z.object({ script: z.string().describe('JavaScript; its value comes back') }));

export function browserRunTool({ browser }: BrowserPorts) {
  return defineTool({
    name: 'browser_run',
    description: 'Runs a script in the open page.',
    input,
    effect: 'run',
    isOffered: () => isBrowserInUse(browser),
    title: () => titleWithTab(browser, t('Run a script in the page')),
    // No target: permission to read a host is no permission for arbitrary scripts.
    prepare: async ({ script }) => {
      const page = requireOpenPage(browser);
      return {
        plan: page,
        subject: { kind: 'other', detail: `${page.address}\n${script}` },
        mustAsk: asksOnSharedTab(browser),
      };
    },
    run: async ({ script }, page, call) => {
      if (await waitForUser(browser, call)) return describeUserChanges(browser, call);
      requireSamePage(page, browser);
      const changes = await convertBrowserErrors(browser.run(script, call.signal));
      const value = { ...changes, notices: [...changes.notices, `Result of the script: ${changes.value}`] };
      return describeChanges(value, [], () => t('Done'));
    },
  });
}
