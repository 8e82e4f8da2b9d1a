/* Pages of servers in a real browser: the good one works, and the others get nowhere. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { AppHttpServer } from '../../src/extension/mcp/apps/appHttpServer.ts';
import type { ShownApp } from '../../src/protocol/panel/messages.ts';
import { boardPage, hostilePages, pageWith } from '../mcp/support/appPages.ts';
import { appAndAsk, shownApp, withApp } from './appScenes.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { test } from './suite.ts';

type Open = (options?: PanelOptions) => Promise<PanelPage>;

async function show(open: Open, html: string, events = withApp, more: Partial<ShownApp> = {}) {
  const server = new AppHttpServer();
  onTestFinished(() => server.dispose());
  const { address } = await server.add({ html, connects: [], loads: [] });
  const panel = await open({ state: fold(events) });
  await panel.intention('panel.app');
  await panel.send({ type: 'app.told', callId: 'app', app: shownApp(address, more) });
  const frame: FrameLocator = panel.page.frameLocator('.app-page').frameLocator('iframe');
  return { ...panel, server, frame };
}

/** Counts who comes. */
async function elsewhere() {
  const came: string[] = [];
  const server = createServer((request, response) => {
    came.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { came, in: (html: string) => html.replaceAll('ELSEWHERE', JSON.stringify(at)) };
}

function heightOf(page: Page): Promise<number> {
  return page.locator('.app-page').evaluate(element => element.clientHeight);
}

test('a page gets its call and the theme, asks the host, and is left by Escape', async ({ open }) => {
  const { page, frame, send, intention, problems } = await show(open, boardPage);
  await expect.poll(() => frame.locator('#input').textContent()).toBe('{"city":"Oslo"}');
  await expect.poll(() => frame.locator('#result').textContent()).toBe('{"open":3}');
  const dressed = () =>
    frame
      .locator('html')
      .evaluate(html => [html.dataset.theme, html.style.getPropertyValue('--color-text-primary')]);
  const foreground = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--vscode-foreground'),
  );
  await expect.poll(dressed).toEqual(['dark', foreground.trim()]);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--vscode-foreground', 'rgb(1, 2, 3)');
    document.body.dataset.vscodeThemeKind = 'vscode-light';
  });
  await expect.poll(dressed).toEqual(['light', 'rgb(1, 2, 3)']);
  await page.getByRole('button', { name: 'Use: Page of the server board' }).click();
  await frame.getByRole('button', { name: 'Move' }).click();
  const { app, text } = await intention('panel.appSent');
  expect([app, JSON.parse(text)]).toMatchObject([
    'app-1',
    { method: 'tools/call', params: { name: 'move_ticket' } },
  ]);
  await send({
    type: 'app.answered',
    app,
    text: JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, result: { moved: 7 } }),
  });
  await expect.poll(() => frame.locator('#answer').textContent()).toBe('{"moved":7}');
  expect(await heightOf(page)).toBeLessThan(300);
  await frame.getByRole('button', { name: 'Large' }).click();
  await expect.poll(() => heightOf(page)).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Make smaller: Page of the server board' }).click();
  await expect.poll(() => heightOf(page)).toBeLessThan(300);
  const use = page.getByRole('button', { name: 'Use: Page of the server board' });
  await use.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => frame.locator('#move').evaluate(move => document.activeElement === move))
    .toBe(true);
  for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('a note');
  await expect.poll(() => frame.getByLabel('Note').inputValue()).toBe('a note');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toContain('show_board');
  await use.waitFor();
  expect(await problems()).toEqual([]);
});

test('a page learns of its tool, its policy and its device', async ({ open }) => {
  const html = pageWith(
    `request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'board', version: '1' }, appCapabilities: {} }).then(told => say('answer', told));`,
  );
  const tool = { name: 'show_board', inputSchema: { type: 'object' } };
  const csp = { connectDomains: ['https://api.board.example'], resourceDomains: [] };
  const given = { tool, arguments: {}, result: {} };
  const { frame } = await show(open, html, withApp, { csp, given });
  const told = () => frame.locator('#answer').textContent();
  await expect.poll(told).not.toBe('');
  expect(JSON.parse((await told()) ?? '')).toMatchObject({
    hostCapabilities: { sandbox: { csp } },
    hostContext: {
      toolInfo: { tool },
      userAgent: 'folio',
      platform: 'web',
      deviceCapabilities: { touch: false, hover: expect.any(Boolean) },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
      locale: 'en',
      timeZone: expect.stringMatching(/./),
    },
  });
});

test('a page that wants the network says where to, and gets it by a press alone', async ({ open }) => {
  const hosts = ['https://api.board.example', 'https://cdn.board.example'];
  const { page, intentions } = await show(open, boardPage, withApp, { hosts, isGranted: false });
  await page
    .getByText('It wants to reach 2 places: https://api.board.example, https://cdn.board.example.')
    .waitFor();
  await page.getByRole('button', { name: 'Allow network: Page of the server board' }).click();
  expect((await intentions()).at(-1)).toEqual({ type: 'panel.app', callId: 'app', hosts });
});

test('what a page adds to the next prompt is seen whole, and can be left out', async ({ open }) => {
  const { page, send, intention, intentions } = await open({ state: fold(withApp) });
  const text = `Ticket 7 is chosen.\n${'It has many words. '.repeat(40)}\nThe end.`;
  await send({ type: 'app.adds', additions: [{ app: 'app-1', server: 'board', text }] });
  const line = page.getByText('Page of the server board adds: Ticket 7 is chosen.');
  await line.waitFor();
  expect(await line.evaluate(element => element.clientHeight)).toBeLessThan(30);
  await line.click();
  await page.getByText('The end.', { exact: false }).last().scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Leave out what the page of the server board adds' }).click();
  expect(await intention('panel.appLeftOut')).toEqual({ type: 'panel.appLeftOut', app: 'app-1' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await send({ type: 'app.adds', additions: [] });
  await line.waitFor({ state: 'detached' });
  expect((await intentions()).map(({ type }) => type)).not.toContain('prompt.send');
});

test('a page that cannot be shown says why', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(withApp) });
  await intention('panel.app');
  await send({ type: 'app.told', callId: 'app', problem: 'The server board does not run.' });
  await page.getByText('The page of board cannot be shown: The server board does not run.').waitFor();
});

test.for([
  ['parent', 'out'],
  ['navigation', 'top popup'],
  ['network', 'blocked'],
  ['facts', 'sent'],
] as const)('a hostile page gets nowhere: %s', async ([name, answer], { open }) => {
  const other = await elsewhere();
  const { page, frame, intentions } = await show(open, other.in(hostilePages[name]));
  await expect.poll(() => frame.locator('#answer').textContent()).toBe(answer);
  expect(await page.title()).toBe('Folio');
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  await page.getByText('Three tickets are open.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Ask Folio' }).inputValue()).toBe('');
  const box = (await page.locator('.server-app').boundingBox())!;
  const inside = (await page.locator('.app-page').boundingBox())!;
  expect(inside.y).toBeGreaterThanOrEqual(box.y);
  expect(inside.y + inside.height).toBeLessThanOrEqual(box.y + box.height + 1);
  expect(await page.locator('[data-ask]').count()).toBe(0);
  expect(other.came).toEqual([]);
  expect((await intentions()).map(({ type }) => type)).not.toContain('call.decide');
});

test('a page cannot carry anything away by going elsewhere', async ({ open }) => {
  const other = await elsewhere();
  const { page, frame } = await show(open, other.in(hostilePages.ownNavigation));
  const inner = () => page.frames().find(each => each.parentFrame()?.parentFrame() === page.mainFrame());
  await expect.poll(() => inner()?.url() ?? '').not.toMatch(/page$/);
  expect(frame).toBeDefined();
  expect(other.came).toEqual([]);
});

test.for(['flood', 'long'] as const)('a page that sends too much is stopped: %s', async (name, { open }) => {
  const { page, intentions } = await show(open, hostilePages[name]);
  await page.getByText('The page was stopped, since it sent too much.').waitFor();
  expect(await page.locator('.app-page').count()).toBe(0);
  expect((await intentions()).filter(({ type }) => type === 'panel.appSent').length).toBeLessThanOrEqual(200);
  await page.getByRole('button', { name: 'Reload: Page of the server board' }).click();
  expect((await intentions()).at(-1)).toMatchObject({ type: 'panel.app', callId: 'app' });
});

test('a page grows to a bound', async ({ open }) => {
  const { page } = await show(open, hostilePages.height);
  await expect.poll(() => heightOf(page)).toBe(480);
});

test('a page that takes the focus is stopped, and does not get what is typed into the prompt', async ({
  open,
}) => {
  const { page } = await show(open, hostilePages.focus);
  const prompt = page.getByRole('textbox', { name: 'Ask Folio' });
  await prompt.focus();
  await page.getByText('The page was stopped, since it kept taking the focus.').waitFor();
  expect(await page.locator('.app-page').count()).toBe(0);
  await page.keyboard.type('a secret');
  expect(await prompt.inputValue()).toBe('a secret');
});

test('a page that takes the focus once gives it back', async ({ open }) => {
  const { page, frame } = await show(open, boardPage);
  await expect.poll(() => frame.locator('#result').textContent()).toBe('{"open":3}');
  const prompt = page.getByRole('textbox', { name: 'Ask Folio' });
  await prompt.focus();
  await frame.locator('input').evaluate(input => input.focus());
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.type('a secret');
  expect(await prompt.inputValue()).toBe('a secret');
  await page.getByRole('button', { name: 'Use: Page of the server board' }).click();
  await frame.locator('input').click();
  await page.keyboard.type('b');
  await expect.poll(() => frame.locator('input').inputValue()).toBe('b');
  await prompt.click();
  await page.keyboard.type('!');
  expect(await prompt.inputValue()).toBe('a secret!');
});

test('while a card asks, a page is out of reach and does not move', async ({ open }) => {
  const { page, frame, intentions, play } = await show(open, boardPage, appAndAsk);
  await expect.poll(() => frame.locator('#result').textContent()).toBe('{"open":3}');
  expect(await page.locator('.app-page').evaluate(element => (element as HTMLIFrameElement).inert)).toBe(
    true,
  );
  const before = await heightOf(page);
  await frame
    .locator('body')
    .evaluate(() =>
      parent.postMessage(
        { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 400 } },
        '*',
      ),
    );
  await frame.locator('#large').evaluate(button => (button as HTMLElement).click());
  await expect.poll(() => frame.locator('#answer').textContent()).toBe('{"mode":"inline"}');
  expect(await heightOf(page)).toBe(before);
  expect(await page.getByRole('button', { name: 'Use: Page of the server board' }).isDisabled()).toBe(true);
  await frame.locator('input').evaluate(input => input.focus());
  await page.keyboard.press('Control+Enter');
  expect((await intentions()).map(({ type }) => type)).not.toContain('call.decide');
  await play([]);
});
