import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { hasBrowser } from '../support/browserSite.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const shop = `<title>Shop</title><body style="margin:0;background:#fff;font:40px sans-serif">
<h1 style="background:#234;color:#fff;margin:0;padding:40px">Shop</h1><button style="margin:60px">Order</button>`;

test.skipIf(!hasBrowser)(
  'the page that the agent opened is seen on the card, and large beside the code',
  async ({ openOwn, makeFolder, startGemini }) => {
    await using server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(shop));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const gemini = await startGemini();
    const window = await openOwn({
      folder: await makeFolder({ 'shop.html': shop }),
      settings: { 'folio.baseUrl': gemini.baseUrl },
      env: { FOLIO_BROWSER: 'on' },
    });
    const panel = await window.openPanel();
    gemini.script([call('browser_open', { url })], [text('The shop is there.')]);
    await ask(panel, 'Is the shop there?');
    await button(panel, 'Fetch').click();
    const picture = panel.getByRole('img', { name: `The page after: Open ${url}` });
    await until('the picture has come', () =>
      picture.evaluateAll(([image]) => (image as HTMLImageElement | undefined)?.naturalWidth === 1280),
    );
    await panel.getByText('The shop is there.').waitFor();
    await window.screenshot('browser');
    await picture.click();
    const { page } = window;
    await page.getByRole('tab', { name: /browser_open-.*\.jpg/ }).waitFor();
    const shown = page
      .frameLocator('iframe.webview:not([src*="extensionId=folio.folio"])')
      .frameLocator('iframe#active-frame')
      .locator('img');
    await shown.waitFor();
    await window.screenshot('browser-large');
    expectPlayed(gemini);
    expect(JSON.stringify(gemini.requests.at(-1)?.body)).not.toContain('image/jpeg');
  },
);
