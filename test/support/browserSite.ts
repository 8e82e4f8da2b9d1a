/* Local web pages, and a real browser that opens them. */

import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findBrowser } from '../../src/extension/node/browser/findBrowser.ts';
import { lazyBrowser } from '../../src/extension/node/browser/lazyBrowser.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { Browser } from '../../src/extension/platform/browser/browser.ts';

/** False if no browser is installed, so that tests are skipped. */
export const hasBrowser = program() !== undefined;

/** Content of a page, or a request handler. */
export type SitePage = string | ((asked: IncomingMessage, answer: ServerResponse) => void);

export interface BrowserSite {
  readonly browser: Browser;
  /** Without a trailing slash. */
  readonly origin: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  readonly signal: AbortSignal;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param pages by path. @param shared a server owned by the caller. Absent: a new one */
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

/** @param path path of the browser. Absent: an installed one */
export function testBrowser(mask: readonly string[] = [], path = ''): Browser {
  return lazyBrowser({
    folders: [],
    env: process.env,
    isEnabled: () => true,
    path: () => path,
    mask: () => mask,
  });
}

/** Makes a browser program whose newest process a test can kill. */
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
  return findBrowser(new ProgramFinder(() => []), process.env);
}
