/* The page of the agent's browser in the hands of the user, in a real window. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { hasBrowser, killableBrowser } from '../support/browserSite.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import { limit, type Workbench } from './support/workbench.ts';

/** Rows of 80 pixels: a field, and a button that writes what it holds into the heading. */
const order = `<title>Order</title><style>body { margin: 0; font: 40px sans-serif; background: #fff }
input, button, h1 { display: block; box-sizing: border-box; width: 640px; height: 80px; margin: 0; font: inherit }</style>
<input id=name aria-label=Name><button onclick="done.textContent = 'Ordered by ' + document.getElementById('name').value">Order</button>
<h1 id=done>Nothing ordered</h1>`;
const rows = { name: 0, order: 1 } as const;

test.skipIf(!hasBrowser)(
  'the user takes the page over beside the code, works in it and gives it back, also after Stop, by closing the tab, a reload and a crash',
  { tags: ['journey'] },
  async ({ openOwn, makeFolder, startGemini }) => {
    await using server = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end(order),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const label = `Page of 127.0.0.1:${port}`;
    const url = `http://127.0.0.1:${port}/`;
    const gemini = await startGemini();
    const program = await killableBrowser(await makeFolder({}));
    const window = await openOwn({
      folder: await makeFolder({ 'order.html': order }),
      settings: {
        'folio.baseUrl': gemini.baseUrl,
        'folio.approvalMode': 'autoEdit',
        'folio.browser.path': program.path,
      },
      env: { FOLIO_BROWSER: 'on' },
    });
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = await window.openPanel();
    const tab = window.tab(0);
    const takeOver = panel.getByRole('button', { name: /^Take over the page after: / });
    const waits = panel.getByRole('alert').getByText('You are using the page');
    const typeName = call('browser_do', { steps: [{ do: 'type', at: '#name', text: 'Bob' }] });

    // Works in it while the agent waits.
    gemini.script([call('browser_open', { url })], [text('The form is there.')]);
    await ask(panel, 'Is the form there?');
    await panel.getByText('The form is there.').waitFor();
    await takeOver.click();
    await untilShown(tab);
    await untilLabels(window, [label]);
    await window.savePicture('taken-over');
    await press(tab, rows.name);
    await window.page.keyboard.type('Ada');
    await window.evaluate('executeCommand', 'workbench.action.focusActiveEditorGroup');
    gemini.script([typeName], [text('It was ordered already.')]);
    await ask(panel, 'Order it for Bob.');
    await waits.waitFor();
    await window.savePicture('taken-over-waits');
    await press(tab, rows.name);
    await window.page.evaluate(() => navigator.clipboard.writeText(' Lovelace'));
    await window.page.keyboard.press('End');
    await window.page.keyboard.press('Control+V');
    await press(tab, rows.order);
    await window.page.keyboard.press('F6');
    await until('the focus is on Give Back', () =>
      button(tab, 'Give Back').evaluate(element => element === document.activeElement),
    );
    await window.page.keyboard.press('Enter');
    await panel.getByText('It was ordered already.').waitFor();
    await untilLabels(window, []);
    const { output } = lastResults(lastAsked(gemini))[0]!;
    expect(output).toContain('Nothing was done: the user had the page');
    expect(output).toContain('Ordered by Ada Lovelace');
    await window.savePicture('given-back');

    // Stops the agent meanwhile, and closes the tab.
    await takeOver.click();
    await untilShown(tab);
    gemini.script([typeName]);
    await ask(panel, 'Order it for Bob.');
    await waits.waitFor();
    await button(panel, 'Stop (Escape)').click();
    await panel.getByRole('group', { name: 'Stopped.' }).waitFor();
    expect(await waits.count()).toBe(0);
    await untilShown(tab);
    await window.runCommand('View: Close Editor');
    await untilLabels(window, []);
    gemini.script([typeName], [text('Bob is in.')]);
    await ask(panel, 'Now do it.');
    await panel.getByText('Bob is in.').waitFor();
    expect(lastResults(lastAsked(gemini))[0]?.output).toContain('Bob');

    // Reloads the window meanwhile.
    await takeOver.click();
    await untilShown(tab);
    gemini.script([call('browser_do', { steps: [{ do: 'type', at: '#name', text: 'Eve' }] })]);
    await ask(panel, 'Order it for Eve.');
    await waits.waitFor();
    await window.reload();
    await window.openPanel();
    await panel.getByRole('group', { name: /^type #name "Eve", (Stopped|Interrupted)/ }).waitFor();
    expect(await waits.count()).toBe(0);
    await untilLabels(window, []);
    const openAgain = async (answer: string) => {
      gemini.script([call('browser_open', { url })], [text(answer)]);
      await ask(panel, 'Open it again.');
      await panel.getByText(answer).waitFor();
      await takeOver.click();
      await untilShown(tab);
      await untilLabels(window, [label]);
    };
    await openAgain('It is there after the reload.');

    // The browser ends, and the next page comes in place of what says so.
    await program.kill();
    await tab.getByText('The browser of the agent has ended').waitFor();
    await window.savePicture('taken-page-lost');
    await openAgain('It is there in another browser.');

    // The extension host goes away, which leaves its tabs.
    await window.crashHost();
    await tab.getByText('Folio does not respond').waitFor();
    await window.savePicture('taken-page-disconnected');
    await tab.getByText('Folio does not respond').click();
    await window.runCommand('View: Close Editor');
    await untilLabels(window, []);
    expectPlayed(gemini);
  },
);

/** Clicks into a row of the picture. */
async function press(tab: FrameLocator, row: number): Promise<void> {
  const keys = tab.getByRole('textbox', { name: 'The page. ' });
  const { width, height } = (await keys.boundingBox())!;
  const scale = Math.min(width / 1280, height / 800);
  const x = (width - 1280 * scale) / 2 + 100 * scale;
  await keys.click({ position: { x, y: (row * 80 + 40) * scale } });
}

async function untilShown(tab: FrameLocator): Promise<void> {
  const picture = tab.getByRole('img', { name: 'The page' });
  await until('the tab shows the page', () =>
    picture.evaluateAll(([image]) => (image as HTMLImageElement | undefined)?.naturalWidth === 1280),
  );
}

async function untilLabels({ evaluate }: Workbench, labels: readonly string[]): Promise<void> {
  await expect
    .poll(async () => (await evaluate('listTabs')).map(({ label }) => label), { timeout: limit })
    .toEqual(labels);
}
