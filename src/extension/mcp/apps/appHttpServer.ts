/*
 * Serves servers' pages to the panel. A frame in the panel's own document would inherit its policy, which blocks
 * foreign scripts. Each page has an unguessable address and runs in a nested frame:
 *
 *   panel ─► frame (ours: forwards messages, blocks navigation of its frame) ─► frame (the page)
 *
 * Both frames are sandboxed without an origin, also by their headers.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { type AppPage, contentSecurityPolicy, pageDocument } from './appPage.ts';
import { isLoopback } from './pageAddress.ts';

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

/** Rejects foreign host names that resolve to this machine, unless they belong to the page's address. */
const loopback = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/;
const maxCheckMs = 10_000;

interface ServedPage {
  readonly page: AppPage;
  /** The address for the panel, with a trailing slash. */
  address: string;
}

interface OpenPage {
  readonly address: string;
  /** Set if it is not on this machine. */
  readonly origin: string | undefined;
  close(): void;
}

export class AppHttpServer {
  private readonly pages = new Map<string, ServedPage>();
  private readonly addressFor: (local: string) => Promise<string>;
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

  /** @param addressFor maps a local address to one that the panel can reach, or rejects with a user-facing message */
  constructor(addressFor: (local: string) => Promise<string> = async local => local) {
    this.addressFor = addressFor;
  }

  /** Rejects with a user-facing message if the page cannot be shown as served. */
  async add(page: AppPage): Promise<OpenPage> {
    const port = await this.start();
    const name = randomBytes(24).toString('base64url');
    const local = `http://127.0.0.1:${port}/${name}/`;
    const served = { page, address: local };
    const close = () => void this.pages.delete(name);
    this.pages.set(name, served);
    try {
      const address = await this.addressFor(local);
      served.address = address;
      if (isLoopback(address)) return { address, origin: undefined, close };
      await checkPolicies(served);
      return { address, origin: new URL(address).origin, close };
    } catch (error) {
      close();
      throw error;
    }
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
    const served = this.pages.get(name);
    if (!served || method !== 'GET' || !(loopback.test(host) || host === new URL(served.address).host)) {
      response.writeHead(404).end();
      return;
    }
    const { frame: around, page: inner } = policiesOf(served);
    response
      .writeHead(200, { ...common, 'content-security-policy': file === undefined ? around : inner })
      .end(file === undefined ? frame : pageDocument(served.page));
  }
}

function policiesOf({ page, address }: ServedPage): { readonly frame: string; readonly page: string } {
  return { frame: frameAround(`${address}page`), page: contentSecurityPolicy(page) };
}

/** A proxy in between may require a sign-in, drop headers, or add one that keeps a frame empty. */
async function checkPolicies(served: ServedPage): Promise<void> {
  const policies = policiesOf(served);
  const pass = await Promise.all([
    passes(served.address, policies.frame),
    passes(`${served.address}page`, policies.page),
  ]);
  if (pass.every(Boolean)) return;
  const { origin } = new URL(served.address);
  throw new LocalizedError(() =>
    t(
      '{0} does not return the page that Folio serves. Check that this forwarded address needs no sign-in.',
      origin,
    ),
  );
}

async function passes(address: string, policy: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(maxCheckMs);
    const { status, headers, body } = await fetch(address, { redirect: 'manual', signal });
    await body?.cancel();
    // Additional policies after a comma can only forbid more.
    const present = headers.get('content-security-policy')?.split(/,\s*/) ?? [];
    return status === 200 && present.includes(policy) && !headers.has('x-frame-options');
  } catch {
    return false;
  }
}

function frameAround(page: string): string {
  const [forStyle, forScript] = [style, script].map(hashOf);
  return `default-src 'none'; style-src ${forStyle}; script-src ${forScript}; frame-src ${page}; base-uri 'none'; form-action 'none'; sandbox allow-scripts`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
