/* Where the panel finds a page of a server, on this machine and where VS Code forwards it. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { AppHttpServer } from '../../src/extension/mcp/apps/appHttpServer.ts';
import { choosePageAddress, createPageForward } from '../../src/extension/mcp/apps/pageAddress.ts';
import { type PortProxy, startPortProxy } from '../support/portProxy.ts';

const local = 'http://127.0.0.1:5000/name/';
const desktop = 'vscode://folio.folio/page';
const unreachable = 'The machine that runs the server cannot be reached from here.';

describe('a page is shown', () => {
  test.each([
    ['as it is on a desktop', local, desktop, local],
    [
      'at a forwarded port of a desktop',
      'http://localhost:6000/name/',
      desktop,
      'http://localhost:6000/name/',
    ],
    ['as it is beside a proxy of this machine', 'http://127.0.0.1:8000/proxy/5000/name/', '', local],
    [
      'at an address of its own',
      'https://5000.x.example/name/',
      'https://x.example/callback',
      'https://5000.x.example/name/',
    ],
    [
      'below the address of another',
      'https://p.example/5000/name/',
      'https://x.example/',
      'https://p.example/5000/name/',
    ],
    [
      'at an address of a tunnel of a desktop',
      'https://t-5000.example/name/',
      desktop,
      'https://t-5000.example/name/',
    ],
    [
      'without encryption where VS Code is',
      'http://p.example/name/',
      'http://x.example/',
      'http://p.example/name/',
    ],
  ])('%s', (_, forwarded, workbench, address) => {
    expect(choosePageAddress(local, forwarded, workbench)).toBe(address);
  });

  test.each([
    [
      'at the address of VS Code',
      'https://x.example/proxy/5000/name/',
      'https://X.example:443/callback?a=1',
      /could reach VS Code/,
    ],
    [
      'without encryption where VS Code has it',
      'http://p.example/name/',
      'https://x.example/',
      /not encrypted/,
    ],
    ['without encryption beside a desktop', 'http://p.example/name/', desktop, /not encrypted/],
    ['by what would end the policy', 'https://p.example/a;script-src *;/name/', desktop, unreachable],
    ['by what is no address of the web', 'data:text/html,x', desktop, unreachable],
    ['by what is no address', 'nothing', desktop, unreachable],
  ])('never %s', (_, forwarded, workbench, sentence) => {
    expect(() => choosePageAddress(local, forwarded, workbench)).toThrow(sentence);
  });
});

describe('a page that VS Code forwards', () => {
  async function serve(change?: PortProxy['change']) {
    const proxy = await startPortProxy();
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    if (change) proxy.change = change;
    const forward = async (address: string) =>
      address.startsWith('vscode:') ? 'http://x.example/callback' : proxy.forward(address);
    const server = new AppHttpServer(createPageForward(forward, desktop));
    onTestFinished(() => server.dispose());
    return { proxy, page: server.add({ html: '<p>Board</p>', connects: [], loads: [] }) };
  }

  test('is found there with its policies, and its frame leads to it alone', async () => {
    const { proxy, page } = await serve();
    const { address, origin, close } = await page;
    expect(origin).toBe(proxy.origin);
    const frame = await fetch(address);
    expect(frame.headers.get('content-security-policy')).toContain(`frame-src ${address}page;`);
    expect(await (await fetch(`${address}page`)).text()).toContain('<p>Board</p>');
    close();
    expect((await fetch(address)).status).toBe(404);
  });

  test('may get further policies on its way', async () => {
    const { page } = await serve(headers => {
      headers['content-security-policy'] = [`${headers['content-security-policy']}`, "object-src 'none'"];
    });
    expect((await page).address).toContain('/port/');
  });

  test.each<[string, PortProxy['change']]>([
    ['without its policy', headers => delete headers['content-security-policy']],
    [
      'with another policy',
      headers => Object.assign(headers, { 'content-security-policy': 'sandbox allow-same-origin' }),
    ],
    ['with a header that forbids frames', headers => Object.assign(headers, { 'x-frame-options': 'DENY' })],
  ])('is not shown %s', async (_, change) => {
    const { proxy, page } = await serve(change);
    await expect(page).rejects.toThrow(`${proxy.origin} does not return the page that Folio serves.`);
  });
});
