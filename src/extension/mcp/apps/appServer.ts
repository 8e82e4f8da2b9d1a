/*
 * Serves pages of servers to the panel: a frame inside of the panel's own document would inherit its policy, under
 * which no script of others runs. Each page has an address that nobody can guess, and lies in a second frame:
 *
 *   panel ─► frame (ours: passes messages on, lets its frame go nowhere else) ─► frame (the page)
 *
 * Both are sandboxed without an origin, by their headers, too.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from '../../base/once.ts';
import { type AppPage, documentOf, policyOf } from './appPage.ts';

const style =
  'html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;overflow:hidden;color-scheme:normal}';
const script =
  "const inner=document.querySelector('iframe').contentWindow;addEventListener('message',({source,data})=>{if(source===parent)inner.postMessage(data,'*');else if(source===inner)parent.postMessage(data,'*')})";
const frame = `<!doctype html><meta charset="utf-8"><title>Folio</title><style>${style}</style><iframe src="page" sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe><script>${script}</script>`;

const common = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
};

/** A name that leads here by somebody else's hand is none of these. */
const loopback = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/;

export class AppServer {
  private readonly pages = new Map<string, AppPage>();
  private server: Server | undefined;
  private readonly start = once(async () => {
    const server = createServer((request, response) => this.answer(request, response));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    server.unref();
    return (server.address() as AddressInfo).port;
  });

  /** Gives the address on this machine. */
  async add(page: AppPage): Promise<string> {
    const port = await this.start();
    const name = randomBytes(24).toString('base64url');
    this.pages.set(name, page);
    return `http://127.0.0.1:${port}/${name}/`;
  }

  /** @param address as `add` gave it */
  remove(address: string): void {
    this.pages.delete(new URL(address).pathname.slice(1, -1));
  }

  dispose(): void {
    this.pages.clear();
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private answer(
    { method, url = '', headers: { host = '' } }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const [, name = '', file] = /^\/([\w-]+)\/(page)?$/.exec(url) ?? [];
    const page = this.pages.get(name);
    if (!page || method !== 'GET' || !loopback.test(host)) {
      response.writeHead(404).end();
      return;
    }
    const inner = `http://${host}/${name}/page`;
    const policy = file === undefined ? frameAround(inner) : policyOf(page);
    response
      .writeHead(200, { ...common, 'content-security-policy': policy })
      .end(file === undefined ? frame : documentOf(page));
  }
}

function frameAround(page: string): string {
  const [forStyle, forScript] = [style, script].map(hashOf);
  return `default-src 'none'; style-src ${forStyle}; script-src ${forScript}; frame-src ${page}; base-uri 'none'; form-action 'none'; sandbox allow-scripts`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
