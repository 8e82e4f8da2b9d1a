import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import { defineTool } from '../../core/tool.ts';
import {
  type BrowserPorts,
  describeChanges,
  describeUsersWork,
  expectPage,
  isInUse,
  mustAsk,
  presentPage,
  reportedByBrowser,
  titleOn,
  waitForUser,
} from './pageTools.ts';

const input = later(() => z.object({ script: z.string().describe('JavaScript; its value comes back') }));

export function browserRun({ browser }: BrowserPorts) {
  return defineTool({
    name: 'browser_run',
    description: 'Runs a script in the open page.',
    input,
    effect: 'run',
    isOffered: () => isInUse(browser),
    title: () => titleOn(browser, t('Run a script in the page')),
    // No target: permission to read a host is no permission for arbitrary scripts.
    prepare: async ({ script }) => {
      const page = presentPage(browser);
      return {
        plan: page,
        subject: { kind: 'other', detail: `${page.address}\n${script}` },
        mustAsk: mustAsk(browser),
      };
    },
    run: async ({ script }, page, call) => {
      if (await waitForUser(browser, call)) return describeUsersWork(browser, call);
      expectPage(page, browser);
      const changes = await reportedByBrowser(browser.run(script, call.signal));
      const value = { ...changes, notices: [...changes.notices, `Result of the script: ${changes.value}`] };
      return describeChanges(value, [], () => t('Done'));
    },
  });
}
