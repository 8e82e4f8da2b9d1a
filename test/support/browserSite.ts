/* Pages on this machine, and a real browser that opens them. */

import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findBrowser } from '../../src/extension/node/browser/findBrowser.ts';
import { lazyBrowser } from '../../src/extension/node/browser/lazyBrowser.ts';
import { Programs } from '../../src/extension/node/processes/programs.ts';
import type { Browser } from '../../src/extension/platform/browser/browser.ts';

/** False: nothing here can be tested for want of a browser. */
export const hasBrowser = program() !== undefined;

/** The content of a page, or who answers. */
export type SitePage = string | ((asked: IncomingMessage, answer: ServerResponse) => void);

export interface BrowserSite {
  readonly browser: Browser;
  /** Without a slash at its end. */
  readonly origin: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly signal: AbortSignal;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param pages by path. @param shared the caller closes it; absent: one for this site alone */
export async function browserSite(
  pages: Readonly<Record<string, SitePage>>,
  shared?: Browser,
): Promise<BrowserSite> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path];
    if (typeof page === 'function') return page(request, answer);
    answer.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    answer.end(page ?? 'There is no such page.');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = shared ?? testBrowser();
  return {
    browser,
    origin: `http://localhost:${port}`,
    asked,
    signal: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {
      if (browser !== shared) await browser.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** @param path of its program; absent: one that is found */
export function testBrowser(mask: readonly string[] = [], path = ''): Browser {
  return lazyBrowser({
    folders: [],
    env: process.env,
    isEnabled: () => true,
    path: () => path,
    mask: () => mask,
  });
}

/** A program of a browser that a test can kill. Its newest process counts. */
export async function killableBrowser(
  folder: string,
): Promise<{ readonly path: string; kill(): Promise<void> }> {
  const path = join(folder, 'browser');
  const script = `#!/bin/sh\necho $$ > "$0.pid"\nexec '${program()}' "$@"\n`;
  await writeFile(path, script, { mode: 0o755 });
  return {
    path,
    kill: async () => void process.kill(Number(await readFile(`${path}.pid`, 'utf8')), 'SIGKILL'),
  };
}

function program(): string | undefined {
  return findBrowser(new Programs(() => []), process.env);
}
