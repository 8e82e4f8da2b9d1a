import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';

const builds = ['host', 'headless', 'webview', 'thread'];

/**
 * Returns the sorted folders of packages in `dist`: those in bundles, those that esbuild copied as files, and the
 * grammars, which are packed under the name of their package.
 */
export async function findBundledPackages(root: string): Promise<readonly string[]> {
  const dist = join(root, 'dist');
  const metafiles = await Promise.all(builds.map(name => readMetafile(join(dist, `meta-${name}.json`))));
  const pack = await readFile(join(dist, 'wasm', 'wasm.pack'));
  const packed = Object.keys(JSON.parse(pack.subarray(4, 4 + pack.readUInt32LE()).toString()));
  // The code of Photon is in the bundle of its thread.
  const files = packed.filter(file => /^tree-sitter|^web-tree/.test(file));
  const grammars = files.map(file => {
    const name = basename(file, '.wasm');
    const ofShell = /^web-tree|-(?:bash|powershell)$/.test(name);
    return `node_modules/${ofShell ? name : '@vscode/tree-sitter-wasm'}`;
  });
  return [...new Set([...metafiles.flatMap(packagesIn), ...grammars])].toSorted();
}

/** Returns packages with bytes in the outputs, so without tree-shaken ones. */
export function packagesIn({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap(output => Object.entries(output.inputs));
  const kept = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  return kept.flatMap(path => packageFolder(path) ?? []);
}

/** Returns `a/node_modules/@b/c` for `a/node_modules/@b/c/d.js`. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function readMetafile(path: string): Promise<Metafile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `${path} is missing. Run "node esbuild.mjs --production --metafile" first, or "npm run build".`,
    );
  });
  return JSON.parse(text);
}
