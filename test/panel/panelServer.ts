/* Builds the panel's page into a temp folder and serves it under the policy that VS Code's webview gives it. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { panelHtml } from '../../src/extension/vscode/panel/panelHtml.ts';

export interface PanelServer {
  readonly address: string;
  /** Where the build wrote to. */
  readonly folder: string;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const mimeTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** What VS Code itself puts before a webview's own styles. */
const hostStyles = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) transparent; }
body { margin: 0; padding: 0 20px; background-color: transparent; color: var(--vscode-editor-foreground); }
::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
`;

export async function startPanelServer(): Promise<PanelServer> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-panel-'));
  await buildPage(folder);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    answer(folder, path, response).catch(error => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    folder,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function buildPage(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/main.tsx'],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
}

async function answer(folder: string, path: string, response: ServerResponse): Promise<void> {
  if (path === '/') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  } else if (path === '/host.css') {
    response.writeHead(200, { 'content-type': 'text/css' }).end(hostStyles);
  } else if (path === '/favicon.ico') {
    response.writeHead(204).end();
  } else {
    const file = await readFile(join(folder, normalize(path)));
    response.writeHead(200, { 'content-type': mimeTypes[extname(path)] ?? 'text/plain' }).end(file);
  }
}

/** The page as the extension writes it, with VS Code's own styles before it. */
const page = panelHtml({
  ...{ cspSource: "'self'", nonce: 'panelTest', script: 'main.js', style: 'main.css', language: 'en' },
}).replace('<link', '<link rel="stylesheet" href="host.css"><link');
