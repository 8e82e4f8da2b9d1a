import type { CDPSession, Page } from 'playwright-core';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';
import { median } from './statistics.ts';

/** Samples in milliseconds. */
export interface Streamed {
  /** From the first message until the end of the answer is drawn. */
  readonly total: number;
  /** Busy time of the page's main thread. */
  readonly work: number;
  readonly maxGapLength: number;
  /** From a key to the frame that shows its letter. */
  readonly typing: number;
  readonly slowestTyping: number;
}

/** Posts messages into the page at an interval, and types into its field meanwhile. */
export async function streamInto(
  page: Page,
  messages: readonly ToWebview[],
  pace: number,
  ending: string,
): Promise<Streamed> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.locator('textarea').focus();
  await page.evaluate(watchFrames);
  const busyBefore = await taskSeconds(cdp);
  const streaming = { done: false };
  const shown = page.evaluate(stream, { messages, pace, ending }).finally(() => {
    streaming.done = true;
  });
  const [total] = await Promise.all([shown, typeUntil(page, streaming)]);
  const busyAfter = await taskSeconds(cdp);
  const { gaps, keys } = await page.evaluate(() => (window as unknown as Watched).watched);
  if (keys.length === 0) throw new Error('Nobody could type while the answer came.');
  return {
    total,
    work: (busyAfter - busyBefore) * 1000,
    maxGapLength: Math.max(...gaps),
    typing: median(keys),
    slowestTyping: Math.max(...keys),
  };
}

interface Watched {
  watched: { gaps: number[]; keys: number[] };
}

/** Runs in the page. Records the time between frames, and from a key to the frame after its input. */
function watchFrames(): void {
  const watched: Watched['watched'] = { gaps: [], keys: [] };
  Object.assign(window, { watched });
  let before = performance.now();
  const tick = () => {
    const now = performance.now();
    watched.gaps.push(now - before);
    before = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  let pressedAt = 0;
  document.addEventListener(
    'keydown',
    event => {
      pressedAt = event.timeStamp;
    },
    true,
  );
  document.addEventListener('input', () => {
    const from = pressedAt;
    // A task queued in a frame runs after it is drawn.
    requestAnimationFrame(() => setTimeout(() => watched.keys.push(performance.now() - from)));
  });
}

/** Runs in the page. */
function stream(task: {
  readonly messages: readonly ToWebview[];
  readonly pace: number;
  readonly ending: string;
}): Promise<number> {
  const { messages, pace, ending } = task;
  return new Promise(resolve => {
    const startedAt = performance.now();
    let sent = 0;
    // Catches up after a late timer, since messages of a host do not wait for the page.
    const send = () => {
      const due = Math.min(messages.length, Math.floor((performance.now() - startedAt) / pace) + 1);
      while (sent < due) window.postMessage(messages[sent++], '*');
      if (sent < messages.length) setTimeout(send, pace);
      else waitForEnding();
    };
    const waitForEnding = () => {
      const last = document.querySelector('.answer')?.lastChild?.textContent;
      requestAnimationFrame(() =>
        last?.includes(ending) ? setTimeout(() => resolve(performance.now() - startedAt)) : waitForEnding(),
      );
    };
    send();
  });
}

async function typeUntil(page: Page, streaming: { readonly done: boolean }): Promise<void> {
  for (let index = 0; !streaming.done; index++) {
    await page.keyboard.press('abcdefghij'[index % 10]!);
    await new Promise(resolve => setTimeout(resolve, 120));
  }
}

async function taskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0;
}
