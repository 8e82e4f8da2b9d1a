import type { Browser, Page } from 'playwright-core';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import type { ExcerptLimits } from '../../../src/extension/vscode/panel/excerpt.ts';
import { PanelFeed } from '../../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../../src/extension/vscode/panel/shownSession.ts';
import type { ToHost } from '../../../src/protocol/intentions.ts';
import type { ToWebview } from '../../../src/protocol/panel/messages.ts';
import type { SessionState } from '../../../src/protocol/state.ts';
import { startPanelServer } from '../../../test/panel/panelServer.ts';
import { installChromium, launchChromium } from '../../vscodeHost/chromium.ts';
import type { Benchmark } from '../bench.ts';
import { longSession } from '../longSession.ts';
import { openPanelPage } from '../pages.ts';
import type { Measurement } from '../statistics.ts';

const everything = 'all at once';
const maxRuns = 3;

/** Speed of a continuously turned wheel in pixels per frame; below, the number of frames. */
const speed = 120;
const frames = 300;

interface Scrolled {
  /** Milliseconds from the snapshot to the frame that shows the newest chapter. */
  readonly shown: number;
  readonly maxGapLength: number;
  readonly medianGap: number;
  /** Script memory of the page in megabytes. */
  readonly memory: number;
}

/** Measures scrolling up through a long unfolded session, compared with a page that has all of it at once. */
export const scroll: Benchmark = {
  name: 'scroll',
  about: 'back through a session of 60,000 journal lines in the panel’s page in Chromium',
  run: async ({ runs, say }) => {
    const { state } = restoreSession(longSession());
    const endless = { items: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
    const contestants = { [everything]: endless, Folio: undefined };
    const server = await startPanelServer();
    const browser = await launchChromium(await installChromium());
    const collected = new Map<string, Scrolled[]>(Object.keys(contestants).map(who => [who, []]));
    try {
      for (let run = 1; run <= Math.min(runs, maxRuns); run++) {
        for (const [who, bounds] of Object.entries(contestants)) {
          say(`${who}, run ${run}`);
          collected.get(who)!.push(await scrollBack(browser, server.address, state, bounds));
        }
      }
    } finally {
      await browser.close();
      await server.close();
    }
    return [...collected].flatMap(([who, samples]) => rows(who, samples));
  },
};

async function scrollBack(
  browser: Browser,
  address: string,
  state: SessionState,
  bounds: ExcerptLimits | undefined,
): Promise<Scrolled> {
  const reported: ToWebview[] = [];
  const feed = new PanelFeed(
    message => reported.push(message),
    () => state,
  );
  feed.attach(shown => new ShownSession(shown, bounds));
  const startedAt = performance.now();
  const page = await openPanelPage(address, reported.splice(0), { foldFinishedChapters: false })(browser);
  try {
    await page.locator('[data-chapter]').last().locator('.items').first().waitFor();
    const shown = performance.now() - startedAt;
    await page.exposeFunction('answer', (message: ToHost) => {
      if (message.type !== 'items.load') return;
      feed.load(message.of);
      answer(page, reported.splice(0));
    });
    const gaps = await page.evaluate(moveUp, { speed, frames });
    const sorted = gaps.toSorted((a, b) => a - b);
    const { heap } = await page.evaluate(() => ({
      heap: (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    }));
    const [maxGapLength, medianGap] = [sorted.at(-1)!, sorted[Math.floor(sorted.length / 2)]!];
    return { shown, maxGapLength, medianGap, memory: heap / 1e6 };
  } finally {
    await page.context().close();
  }
}

/** Sends facts to the page, unless it is already closed. */
function answer(page: Page, facts: readonly ToWebview[]): void {
  page
    .evaluate(list => {
      for (const fact of list) window.postMessage(fact, '*');
    }, facts)
    .catch(() => undefined);
}

/** Runs in the page. Returns the milliseconds between frames. */
function moveUp(task: { readonly speed: number; readonly frames: number }): Promise<readonly number[]> {
  const view = document.querySelector('.transcript')!;
  const gaps: number[] = [];
  return new Promise(resolve => {
    let before = performance.now();
    const next = () => {
      const now = performance.now();
      gaps.push(now - before);
      before = now;
      if (gaps.length >= task.frames) return resolve(gaps);
      view.scrollTop -= task.speed;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

function rows(who: string, samples: readonly Scrolled[]): Measurement[] {
  const row = (what: string, unit: Measurement['unit'], of: (one: Scrolled) => number): Measurement => ({
    benchmark: 'scroll',
    what,
    who,
    unit,
    samples: samples.map(of),
    against: everything,
  });
  return [
    row('until the newest chapter is shown', 'ms', ({ shown }) => shown),
    row('time between frames, median', 'ms', ({ medianGap }) => medianGap),
    row('time between frames, longest', 'ms', ({ maxGapLength }) => maxGapLength),
    row('memory of the page’s scripts', 'MB', ({ memory }) => memory),
  ];
}
