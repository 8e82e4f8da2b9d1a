/* Builds the panel's page and serves it from memory under the policy that VS Code's webview gives it. */

import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { subsetIcons } from '../../scripts/subsetIcons.ts';
import { trimToolkit } from '../../scripts/trimToolkit.ts';
import { panelHtml } from '../../src/extension/vscode/panel/panelHtml.ts';
import type { Language } from '../../src/protocol/language.ts';
import { readPageLanguages } from './pageLanguages.ts';

export interface PanelServer {
  readonly address: string;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const mimeTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** A server serves one build only, so a browser need never ask for a file again. */
const lasting = { 'cache-control': 'max-age=86400, immutable' };

/** What VS Code itself puts before a webview's own styles. */
const hostStyles = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) transparent; }
body { margin: 0; padding: 0 20px; background-color: transparent; color: var(--vscode-editor-foreground); }
::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
`;

export async function startPanelServer(): Promise<PanelServer> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const files = new Map([...(await buildPage()), ['/axe.js', await readFile(axe)]]);
  const languages = await readPageLanguages();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const language = languages.get(searchParams.get('language') ?? 'en');
    const shows = searchParams.get('shows') === 'page' ? 'page' : undefined;
    answer(files, pathname, language && pageIn(language, shows), response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Contents by path, as the build has made them. */
type Files = ReadonlyMap<string, Uint8Array>;

async function buildPage(): Promise<Files> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/main.tsx'],
    outdir: root,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [subsetIcons, trimToolkit],
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const entries = outputFiles.map(({ path, contents }) => [relative(root, path), contents] as const);
  return new Map(entries.map(([path, contents]) => [`/${path.split(sep).join('/')}`, contents]));
}

function answer(files: Files, path: string, page: string | undefined, response: ServerResponse): void {
  const file = files.get(path);
  if (path === '/' && page) {
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(page);
  } else if (path === '/host.css') {
    response.writeHead(200, { ...lasting, 'content-type': 'text/css' }).end(hostStyles);
  } else if (file !== undefined) {
    const type = mimeTypes[extname(path)] ?? 'text/plain';
    response.writeHead(200, { ...lasting, 'content-type': type }).end(file);
  } else {
    response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
  }
}

/** The page as the extension writes it, with VS Code's own styles before it. */
function pageIn(language: Language, shows: 'page' | undefined): string {
  const html = panelHtml({
    cspSource: "'self'",
    nonce: 'panelTest',
    script: 'main.js',
    style: 'main.css',
    language,
    shows,
  });
  return html.replace('<link', '<link rel="stylesheet" href="host.css"><link');
}
