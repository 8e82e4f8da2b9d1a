/* A tab of the user's own browser that they share, in a real window. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { hasBrowser } from '../support/browserSite.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { UsersBrowser } from '../support/usersBrowser.ts';
import { ask, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test.skipIf(!hasBrowser)(
  'the user shares a tab, the agent works in it alone, and they stop sharing on its card',
  { tags: ['journey'] },
  async ({ openOwn, makeFolder, startGemini }) => {
    await using server = createServer(({ url }, answer) =>
      answer
        .setHeader('content-type', 'text/html')
        .end(`<title>$(zap) Mine</title><button onclick="this.textContent = 'Done'">At ${url}</button>`),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await using users = await UsersBrowser.start();
    const mine = await users.open(`http://127.0.0.1:${port}/mine`);
    const other = await users.open(`http://127.0.0.1:${port}/other`);
    const gemini = await startGemini();
    const window = await openOwn({
      folder: await makeFolder({ 'a.txt': 'a' }),
      settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
      env: { FOLIO_BROWSER: 'on' },
    });
    const panel = await window.openPanel();
    await panel.getByRole('button', { name: 'Add context' }).click();
    await panel.getByRole('menuitem', { name: 'Tab of your browser…' }).click();
    const box = window.page.locator('.quick-input-widget');
    await box.getByText('Where your browser takes connections').waitFor();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type(users.at);
    await window.page.keyboard.press('Enter');
    await box.getByText('$ (zap) Mine').first().waitFor();
    await window.savePicture('share-tab-list');
    await window.page.keyboard.type('/mine');
    await window.page.keyboard.press('Enter');
    const sign = window.page.locator('.statusbar-item', { hasText: `127.0.0.1:${port}` });
    await sign.waitFor();

    const press = call('browser_do', { steps: [{ do: 'click', at: 'button' }] });
    gemini.script([call('browser_look', { what: 'text' })], [press], [text('It is done.')]);
    await ask(panel, 'Press it in my tab.');
    await panel.getByText('It is done.').waitFor();
    await window.savePicture('share-tab-used');
    expect(JSON.stringify(gemini.requests)).toContain('The user now shares a tab');
    expect(JSON.stringify(gemini.requests)).not.toContain('/other');
    expect(lastResults(lastAsked(gemini))[0]!.output).toContain('Took 1 of 1 step.');
    const words = 'document.querySelector("button").textContent';
    expect([await users.inTab(mine, words), await users.inTab(other, words)]).toEqual(['Done', 'At /other']);

    await panel.getByRole('button', { name: 'Stop Sharing' }).click();
    await until('the sign is gone', async () => (await sign.count()) === 0);
    expect(await users.inTab(mine, words)).toBe('Done');
  },
);
