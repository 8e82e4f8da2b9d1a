import type { Browser } from 'playwright-core';
import { PanelFeed } from '../../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../../src/extension/vscode/panel/shownSession.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import type { ToWebview } from '../../../src/protocol/panel/messages.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import { startPanelServer } from '../../../test/panel/panelServer.ts';
import { installChromium, launchChromium } from '../../vscodeHost/chromium.ts';
import type { Benchmark, BenchSetting } from '../bench.ts';
import { minimalPage, type OpenPage, openPanelPage } from '../pages.ts';
import type { Measurement } from '../statistics.ts';
import { type Streamed, streamInto } from '../streamInto.ts';
import { longAnswer } from './longAnswer.ts';

/** Chunks per message: the host joins what arrives within 33 ms. */
const paces = [
  { what: '2,000 chunks a second', chunks: 66, milliseconds: 33 },
  { what: '16,500 chunks a second', chunks: 66, milliseconds: 4 },
];

/** Last words of the answer, by which its arrival on the page is detected. */
const ending = 'This is the end of the answer.';

/** Streams an answer into the page while a user types. */
export const panel: Benchmark = {
  name: 'panel',
  about: 'an answer of 2 MB in 20,000 chunks through the panel’s page in Chromium, while somebody types',
  run: async setting => {
    const server = await startPanelServer();
    const browser = await launchChromium(await installChromium());
    try {
      return await measurePages(setting, browser, server.address);
    } finally {
      await browser.close();
      await server.close();
    }
  },
};

async function measurePages(
  { runs, say }: BenchSetting,
  browser: Browser,
  address: string,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const { what, chunks, milliseconds } of paces) {
    const [begun, ...messages] = bundles(chunks);
    const pages: Readonly<Record<string, OpenPage>> = {
      'minimal page': minimalPage,
      Folio: openPanelPage(address, [begun!]),
    };
    const collected = new Map<string, Streamed[]>(Object.keys(pages).map(who => [who, []]));
    for (let run = 1; run <= Math.min(runs, 3); run++) {
      for (const [who, samples] of collected) {
        say(`${what}, ${who}, run ${run}`);
        const page = await pages[who]!(browser);
        samples.push(await streamInto(page, messages, milliseconds, ending));
        await page.context().close();
      }
    }
    for (const [who, samples] of collected) measurements.push(...rows(what, who, samples));
  }
  return measurements;
}

function rows(what: string, who: string, samples: readonly Streamed[]): Measurement[] {
  const row = (measured: string, pick: (one: Streamed) => number): Measurement => ({
    benchmark: 'panel',
    what: `${what}, ${measured}`,
    who,
    unit: 'ms',
    samples: samples.map(pick),
    against: 'minimal page',
  });
  return [
    row('until the last word is shown', one => one.total),
    row('work of the page’s thread', one => one.work),
    row('longest gap between frames', one => one.maxGapLength),
    row('from a key to its letter on screen, median', one => one.typing),
    row('from a key to its letter on screen, longest', one => one.slowestTyping),
  ];
}

const opening: readonly SessionEventBody[] = [
  { type: 'turn.started', turnId: 'turn', text: 'Tell me everything.', attachments: [] },
  { type: 'step.started', stepId: 'answer', number: 1, model: 'bench' },
];

/** Returns messages of the host: the first shows the session, each of the others adds `chunks` chunks. */
function bundles(chunks: number): readonly ToWebview[] {
  const messages: ToWebview[] = [];
  let state = emptySession;
  const add = (body: SessionEventBody) => {
    state = reduce(state, { ...body, seq: state.seq + 1, at: 0 });
  };
  const feed = new PanelFeed(
    message => messages.push(message),
    () => state,
  );
  for (const body of opening) add(body);
  feed.attach(shown => new ShownSession(shown));
  for (const [index, text] of [...longAnswer, `\n\n${ending}`].entries()) {
    add({ type: 'text.appended', stepId: 'answer', text });
    if (index % chunks === chunks - 1 || index === longAnswer.length) feed.update();
  }
  return messages;
}
