import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { runSize } from '../support/runSize.ts';
import { fold } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { asking, running } from './scenario.ts';
import { session } from './sessionScenes.ts';
import { test } from './suite.ts';

/** Rounds through sessions that work, ask and rest. */
const rounds = runSize({ test: 20, prove: 300 });

test('a page that rests has no timer and awaits no frame', async ({ open }) => {
  const panel = await open({ state: session('a') });
  await panel.page.evaluate(countTimers);
  await goRound(panel, 3);
  await expect.poll(() => panel.page.evaluate(() => (window as unknown as Counted).live())).toEqual([]);
});

test('sessions that work, ask and rest in turns leave no nodes and no listeners behind', {
  timeout: 1_200_000,
}, async ({ open }) => {
  const panel = await open({ state: session('a') });
  await goRound(panel, 5);
  const before = await countNodes(panel.page);
  await goRound(panel, rounds);
  await expect.poll(async () => exceeding(await countNodes(panel.page), before)).toEqual([]);
});

async function goRound(panel: PanelPage, count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    for (const state of [fold(running), fold(asking), session('b')]) await panel.show(state);
    await panel.page.getByText('What is b?').waitFor();
    await panel.show(session('a'));
    await panel.page.getByText('What is a?').waitFor();
  }
}

interface Nodes {
  readonly nodes: number;
  readonly jsEventListeners: number;
}

async function countNodes(page: Page): Promise<Nodes> {
  const cdp = await page.context().newCDPSession(page);
  try {
    await cdp.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
    return { nodes, jsEventListeners };
  } finally {
    await cdp.detach();
  }
}

/** Tooltips, announcements and the like may come and go: less than a node for each round is none that stays. */
function exceeding(after: Nodes, before: Nodes): readonly string[] {
  const names = ['nodes', 'jsEventListeners'] as const;
  const grown = names.filter(name => after[name] - before[name] >= rounds);
  return grown.map(name => `${name}: ${before[name]}, then ${after[name]}`);
}

interface Counted {
  /** Where each timer and frame that is still awaited was asked for. */
  live(): readonly string[];
}

/** Runs in the page. */
function countTimers(): void {
  const live = new Map<string, string>();
  const asked = () => new Error('asked for here').stack ?? '';
  for (const [begin, end, repeats] of [
    ['setTimeout', 'clearTimeout', false],
    ['setInterval', 'clearInterval', true],
    ['requestAnimationFrame', 'cancelAnimationFrame', false],
  ] as const) {
    const [start, stop] = [window[begin], window[end]] as unknown as [
      (work: (...args: readonly unknown[]) => void, ms?: number) => number,
      (id: number | undefined) => void,
    ];
    const started = (work: (...args: readonly unknown[]) => void, ms?: number) => {
      const id = start.call(
        window,
        (...args) => {
          if (!repeats) live.delete(`${begin} ${id}`);
          work(...args);
        },
        ms,
      );
      live.set(`${begin} ${id}`, asked());
      return id;
    };
    const stopped = (id: number | undefined) => {
      live.delete(`${begin} ${id}`);
      stop.call(window, id);
    };
    Object.assign(window, { [begin]: started, [end]: stopped });
  }
  Object.assign(window, { live: () => [...live.values()] });
}
