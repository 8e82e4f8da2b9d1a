/* Checks the sizes of the build against budgets. Needs `node esbuild.mjs --production --metafile`. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { projectRoot } from './run.ts';

interface Budget {
  readonly what: string;
  readonly measured: number;
  /** In bytes. */
  readonly limit: number;
}

const kilobyte = 1000;

const budgets = await measure();
printTable(budgets);
const excess = budgets.filter(({ measured, limit }) => measured > limit);
for (const { what, measured, limit } of excess) {
  console.error(`${what}: ${measured - limit} bytes too much.`);
}
if (excess.length > 0) process.exitCode = 1;

async function measure(): Promise<readonly Budget[]> {
  const host = await readMetafile('host');
  const webview = await readMetafile('webview');
  const atActivation = withStaticImports(host, 'dist/extension.js');
  const page = Object.keys(webview.outputs).filter(path => /\.(js|css)$/.test(path));
  const firstPaint = withStaticImports(webview, 'dist/webview/main.js');
  return [
    { what: 'Host code loaded at activation', measured: sizeOf(host, atActivation), limit: 240 * kilobyte },
    // Pages that a command opens are separate chunks, which the panel does not load before.
    { what: 'Webview, all code and styles', measured: sizeOf(webview, page), limit: 646 * kilobyte },
    { what: 'Webview, compressed', measured: await gzippedSizeOf(page), limit: 209 * kilobyte },
    // The toolkit alone is about 250 KB: within this limit it cannot be part of the first paint.
    { what: 'Webview before its first paint', measured: sizeOf(webview, firstPaint), limit: 250 * kilobyte },
  ];
}

async function readMetafile(name: string): Promise<Metafile> {
  const path = join(projectRoot, 'dist', `meta-${name}.json`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error('The sizes are not known. Run "node esbuild.mjs --production --metafile" first.');
  });
  return JSON.parse(text);
}

/** Returns an output file with its static imports. */
function withStaticImports(metafile: Metafile, entry: string): readonly string[] {
  if (metafile.outputs[entry] === undefined) throw new Error(`The build made no ${entry}.`);
  const found = new Set<string>([entry]);
  for (const path of found) {
    for (const { kind, path: imported, external } of metafile.outputs[path]!.imports) {
      if (kind === 'import-statement' && !external) found.add(imported);
    }
  }
  return [...found];
}

function sizeOf(metafile: Metafile, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + metafile.outputs[path]!.bytes, 0);
}

async function gzippedSizeOf(paths: readonly string[]): Promise<number> {
  const files = await Promise.all(paths.map(path => readFile(join(projectRoot, path))));
  return files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
}

function printTable(rows: readonly Budget[]): void {
  const width = Math.max(...rows.map(row => row.what.length));
  for (const { what, measured, limit } of rows) {
    console.log(`${what.padEnd(width)}  ${inKilobytes(measured)} of ${inKilobytes(limit)}`);
  }
}

function inKilobytes(bytes: number): string {
  return `${(bytes / kilobyte).toFixed(1)} KB`.padStart(10);
}
