/* Pages that get a streamed answer: the panel, and a minimal page with the same text. */

import type { Browser, Page } from 'playwright-core';
import type { Environment, ToWebview } from '../../src/protocol/panel/messages.ts';
import { themes } from '../../test/support/themes.ts';

/** Opens a page in its own context, ready for events. The answer is in an element with id or class `answer`. */
export type OpenPage = (browser: Browser) => Promise<Page>;

const size = { width: 420, height: 800 };

/** Appends each delta to a `<pre>` that follows its end. */
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

/** @param more overrides of the default environment */
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

/** Runs first in the page, in place of VS Code's script. */
function actAsHost(variables: Readonly<Record<string, string>>): void {
  let kept: unknown;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      // A benchmark may provide its own host.
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
