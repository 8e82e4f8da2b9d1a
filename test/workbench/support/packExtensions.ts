import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../../scripts/run.ts';

/** An extension as the server wants it: `name` is publisher, name and version. */
export interface PackedExtension {
  readonly name: string;
  readonly folder: string;
}

/** What of the repository the installed extension consists of. */
const shipped = ['package.json', 'package.nls.json', 'dist', 'media'];

/** Copies the built extension, as it would be installed. Fails when it was not built. */
export async function packFolio(into: string): Promise<PackedExtension> {
  await readFile(join(projectRoot, 'dist', 'extension.js')).catch(() => {
    throw new Error('The extension is not built. Run "npm run build" first.');
  });
  const folder = join(into, 'folio');
  await mkdir(folder, { recursive: true });
  for (const name of shipped) await cp(join(projectRoot, name), join(folder, name), { recursive: true });
  return { name: await nameOf(folder), folder };
}

/** Bundles the test extension that gives the tests the extension API. */
export function packProbe(into: string): Promise<PackedExtension> {
  return pack(join(import.meta.dirname, 'probe'), join(into, 'probe'));
}

/** Bundles the test extension that uses the API of Folio's. */
export function packGuest(into: string): Promise<PackedExtension> {
  return pack(join(projectRoot, 'test', 'api', 'guest'), join(into, 'guest'));
}

async function pack(source: string, folder: string): Promise<PackedExtension> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'warning',
  });
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
  return { name: await nameOf(folder), folder };
}

async function nameOf(folder: string): Promise<string> {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `${publisher}.${name}-${version}`;
}
