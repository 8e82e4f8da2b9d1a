import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { mediaLimitBytes, mediaLimitMb } from '../../../protocol/mediaLimit.ts';
import { formatQuantity } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { defineReadTool, ToolFailure, type ToolRunContext } from '../../core/tool.ts';
import { type PictureDifference, viewKinds } from '../../platform/browser/browser.ts';
import {
  type BrowserPorts,
  convertBrowserErrors,
  describeSavedPicture,
  isBrowserInUse,
  requireOpenPage,
  savePagePicture,
  titleWithTab,
  waitForUser,
} from './pageTools.ts';

const input = lazySchema(() =>
  z.object({
    what: z.enum(viewKinds),
    at: z.string().optional().describe('A part, as in browser_do'),
    compareTo: z.string().optional().describe('Earlier picture or design (file)'),
  }),
);

export function browserLookTool({ browser, paths }: BrowserPorts) {
  return defineReadTool({
    name: 'browser_look',
    description: 'Shows the open page.',
    input,
    isOffered: () => isBrowserInUse(browser),
    title: ({ what }) => titleWithTab(browser, titles[what]()),
    target: ({ compareTo }) =>
      compareTo === undefined ? undefined : { kind: 'paths', paths: [compareTo], access: 'read' },
    run: async ({ what, at, compareTo }, call) => {
      await waitForUser(browser, call);
      const { address } = requireOpenPage(browser);
      const other = compareTo === undefined ? undefined : await readPicture(what, compareTo, paths, call);
      const seen = await convertBrowserErrors(browser.inspect({ what, at, compareTo: other }, call.signal));
      if (seen.kind === 'picture') {
        const picture = await savePagePicture(seen, browser, call);
        const { difference } = seen;
        const compared = difference && describeDifference(difference, compareTo ?? '');
        const summary = () =>
          difference ? t('Picture, {0} % differs', percentOf(difference.share)) : t('Picture');
        return {
          text: [
            `A picture of ${address} follows.`,
            ...describeSavedPicture(picture),
            ...(compared ?? []),
          ].join('\n'),
          blobs: [{ mimeType: seen.mimeType, data: seen.data }],
          display: {
            summary,
            picture,
            detail: compared && { kind: 'text', text: compared.join('\n') },
          },
        };
      }
      const lines = seen.text === '' ? 0 : seen.text.split('\n').length;
      const text = lines === 0 ? 'There is nothing.' : wrapUntrusted('untrusted_content', seen.text);
      return {
        text,
        bounded: true,
        display: { summary: () => formatQuantity(lines, 'line'), detail: { kind: 'text', text: seen.text } },
      };
    },
  });
}

const titles: Readonly<Record<(typeof viewKinds)[number], () => string>> = {
  outline: () => t('Read the page outline'),
  picture: () => t('Take a screenshot of the page'),
  text: () => t('Read the page'),
  console: () => t('Read the console of the page'),
  network: () => t('Read the requests of the page'),
};

/** Returns base64. Throws `ToolFailure` if the model may not read the file. */
async function readPicture(
  what: string,
  compareTo: string,
  paths: BrowserPorts['paths'],
  { files }: ToolRunContext,
): Promise<string> {
  if (what !== 'picture')
    throw new ToolFailure('compareTo needs "what": "picture".', () => t('Only pictures are compared'));
  const path = await paths.resolve(compareTo, 'read');
  const stat = await files.stat(path);
  if (stat?.kind !== 'file') throw new ToolFailure(`There is no file ${compareTo}.`, () => t('Not a file'));
  if (stat.size > mediaLimitBytes)
    throw new ToolFailure(`${compareTo} has more than ${mediaLimitMb} MB.`, () => t('Too large'));
  return Buffer.from(await files.readBytes(path)).toString('base64');
}

function describeDifference(difference: PictureDifference, compareTo: string): readonly string[] {
  const { size, otherSize, scale, share, regions, more } = difference;
  const isSameSize = size.width * scale === otherSize.width && size.height * scale === otherSize.height;
  const whole = { width: otherSize.width / scale, height: otherSize.height / scale };
  const common = {
    width: Math.min(size.width, whole.width),
    height: Math.min(size.height, whole.height),
  };
  return [
    ...(scale === 1 ? [] : [`${compareTo} is ${scale} times as large and was reduced for the comparison.`]),
    ...(isSameSize
      ? []
      : [
          `The sizes differ: the page has ${sizeOf(size)} pixels, ${compareTo} ${sizeOf(otherSize)}. Only the ${sizeOf(common)} at the top left of both were compared, and nothing was scaled.`,
        ]),
    regions.length === 0
      ? `It does not differ from ${compareTo}.`
      : `It differs from ${compareTo} in ${percentOf(share)} % of the pixels, at (x, y, width, height; the largest first):`,
    ...regions.map(({ x, y, width, height }) => [x, y, width, height].join(', ')),
    ...(more === 0 ? [] : [`[${formatQuantity(more, 'smaller region')} left out]`]),
  ];
}

function sizeOf({ width, height }: PictureDifference['size']): string {
  return `${width} x ${height}`;
}

/** Returns 0 only if nothing differs, and 100 only if everything does. */
function percentOf(share: number): string {
  if (share > 0 && share < 0.0001) return '< 0.01';
  return String(Math.floor(share * 10_000) / 100);
}
