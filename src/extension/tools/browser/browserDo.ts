import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { formatQuantity, oneLine } from '../../base/text.ts';
import { defineTool, ToolFailure } from '../../core/tool.ts';
import { type PageStep, stepKinds } from '../../platform/browser/browser.ts';
import {
  type BrowserPorts,
  convertBrowserErrors,
  describeChanges,
  describeUserChanges,
  isBrowserInUse,
  pageTarget,
  requireOpenPage,
  requireSamePage,
  takePagePicture,
  titleWithTab,
  waitForUser,
} from './pageTools.ts';

const input = lazySchema(() =>
  z.object({
    steps: z
      .array(
        z.object({
          do: z.enum(stepKinds),
          at: z.string().optional().describe('Reference in the outline (e12) or CSS selector'),
          text: z
            .string()
            .optional()
            .describe('Content, option, file, key (Control+A), up or down, or what to wait for'),
        }),
      )
      .min(1)
      .max(30),
  }),
);

export function browserDoTool({ browser, paths }: BrowserPorts) {
  return defineTool({
    name: 'browser_do',
    description:
      'Takes steps on the open page, a whole form at once; returns what changed. accept goes before what opens a dialog.',
    input,
    effect: 'run',
    isOffered: () => isBrowserInUse(browser),
    title: ({ steps }) =>
      titleWithTab(
        browser,
        steps.length === 1
          ? describeStep(steps[0]!)
          : plural(steps.length, 'one: Take {0} step on the page | other: Take {0} steps on the page'),
      ),
    prepare: async ({ steps }) => {
      const page = requireOpenPage(browser);
      const taken = await Promise.all(steps.map(step => withRealFile(step, paths)));
      const detail = `${page.address}\n${taken.map(describeStep).join('\n')}`;
      // No target: permission to read a host is no permission to upload files to it.
      const target = steps.some(isUpload) ? undefined : pageTarget(page);
      return { plan: { page, steps: taken }, subject: { kind: 'other', detail }, target };
    },
    run: async (_input, { page, steps }, call) => {
      if (await waitForUser(browser, call)) return describeUserChanges(browser, call);
      requireSamePage(page, browser);
      const changes = await convertBrowserErrors(browser.act(steps, call.signal));
      const { done, failure } = changes;
      const took = `Took ${done} of ${formatQuantity(steps.length, 'step')}.`;
      const lead = failure === undefined ? [took] : [took, `Step ${done + 1} failed: ${failure}`];
      const summary = () => (failure === undefined ? t('Done') : t('Step {0} failed', done + 1));
      return describeChanges(changes, lead, summary, await takePagePicture(browser, call));
    },
  });
}

function isUpload({ do: kind }: PageStep): boolean {
  return kind === 'upload';
}

async function withRealFile(step: PageStep, paths: BrowserPorts['paths']): Promise<PageStep> {
  if (!isUpload(step)) return step;
  if (step.text === undefined)
    throw new ToolFailure('The step upload needs "text": the path of a file.', () => t('No file given'));
  return { ...step, text: await paths.resolve(step.text, 'read') };
}

function describeStep({ do: kind, at, text }: PageStep): string {
  return oneLine([kind, at, text === undefined ? undefined : JSON.stringify(text)].filter(Boolean).join(' '));
}
