/* The pages that an answer is streamed into: the panel's own, and the least that shows the same text. */

import type { Browser, Page } from 'playwright-core';
import type { Environment, ToWebview } from '../../src/protocol/panel/messages.ts';
import { themes } from '../../test/support/themes.ts';

/** Opens a page in a context of its own, ready for events; an element with the id `answer` or class `answer` grows. */
export type OpenPage = (browser: Browser) => Promise<Page>;

const size = { width: 420, height: 800 };

/** Appends each delta to a <pre> and keeps its end in view. */
export const minimalPage: OpenPage = async browser => {
  const context = await browser.newContext({ viewport: size });
  const page = await context.newPage();
  await page.setContent(`<body style="margin:0;display:flex;flex-direction:column;height:100vh">
    <div id="scroll" style="overflow:auto;flex:1"><pre class="answer" style="white-space:pre-wrap"></pre></div>
    <textarea></textarea>`);
  await page.evaluate(() => {
    const pre = document.querySelector('pre')!;
    const scroll = document.getElementById('scroll')!;
    addEventListener('message', ({ data }) => {
      if (data?.type !== 'session.changed') return;
      for (const { add = '' } of data.patches) pre.append(add);
      scroll.scrollTop = scroll.scrollHeight;
    });
  });
  return page;
};

/** @param more what differs from the usual environment */
export function openPanelPage(
  address: string,
  begun: readonly ToWebview[],
  more: Partial<Environment> = {},
): OpenPage {
  return async browser => {
    const context = await browser.newContext({ viewport: size });
    const page = await context.newPage();
    await page.addInitScript(actAsHost, themes.dark.variables);
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.waitForFunction(() => customElements.get('vscode-button') !== undefined);
    const facts: readonly ToWebview[] = [
      {
        type: 'environment.changed',
        environment: {
          connection: 'key',
          trusted: true,
          folders: ['/home/ann/invoices'],
          models: [],
          foldFinishedChapters: true,
          spoken: { asks: true, progress: true, hints: true },
          efforts: {},
          unseen: [],
          ...more,
        },
      },
      ...begun,
    ];
    await page.evaluate(list => {
      for (const fact of list) window.postMessage(fact, '*');
    }, facts);
    await page.getByRole('log').waitFor();
    return page;
  };
}

/** Runs in the page before anything else, in the place of VS Code's own script. */
function actAsHost(variables: Readonly<Record<string, string>>): void {
  let kept: unknown;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      // A benchmark may have put a host of its own there.
      postMessage: (message: unknown) =>
        (window as { answer?: (message: unknown) => void }).answer?.(message),
      getState: () => kept,
      setState: (state: unknown) => {
        kept = state;
      },
    }),
  });
  document.addEventListener('DOMContentLoaded', () => {
    for (const [name, value] of Object.entries(variables))
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
  });
}
