import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import { plural as counted } from '../../base/text.ts';
import { fence } from '../../base/untrusted.ts';
import { defineReader } from '../../core/tool.ts';
import { viewKinds } from '../../platform/browser/browser.ts';
import { type BrowserPorts, isInUse, keepPicture, presentAddress, reportedByBrowser } from './pageTools.ts';

const input = later(() =>
  z.object({
    what: z.enum(viewKinds),
    at: z.string().optional().describe('A part, as in browser_do'),
  }),
);

export function browserLook({ browser }: BrowserPorts) {
  return defineReader({
    name: 'browser_look',
    description: 'Shows the open page.',
    input,
    isOffered: () => isInUse(browser),
    title: ({ what }) => titles[what](),
    run: async ({ what, at }, call) => {
      const address = presentAddress(browser);
      const seen = await reportedByBrowser(browser.look({ what, at }, call.signal));
      if (seen.kind === 'picture')
        return {
          text: `A picture of ${address} follows.`,
          blobs: [{ mimeType: seen.mimeType, data: seen.data }],
          display: { summary: () => t('Picture'), picture: await keepPicture(seen, call) },
        };
      const lines = seen.text === '' ? 0 : seen.text.split('\n').length;
      const text = lines === 0 ? 'There is nothing.' : fence('untrusted_content', seen.text);
      return {
        text,
        bounded: true,
        display: { summary: () => counted(lines, 'line'), detail: { kind: 'text', text: seen.text } },
      };
    },
  });
}

const titles: Readonly<Record<(typeof viewKinds)[number], () => string>> = {
  outline: () => t('Look at the outline of the page'),
  picture: () => t('Look at the page'),
  text: () => t('Read the page'),
  console: () => t('Read the console of the page'),
  network: () => t('Read the requests of the page'),
};
