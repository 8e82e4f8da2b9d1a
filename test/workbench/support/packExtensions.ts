import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { requireBanner } from '../../../scripts/requireBanner.ts';
import { projectRoot } from '../../../scripts/run.ts';
import { packVsix } from '../../../scripts/vsix.ts';
import { unpackVsix } from '../../support/vsix.ts';

/** An extension as the server wants it: `name` is publisher, name and version. */
export interface PackedExtension {
  readonly name: string;
  readonly folder: string;
}

/** Packs the built extension and unpacks it as an installation would. Fails when it was not built. */
export async function packFolio(into: string): Promise<PackedExtension> {
  await readFile(join(projectRoot, 'dist', 'extension.js')).catch(() => {
    throw new Error('The extension is not built. Run "npm run build" first.');
  });
  const folder = join(into, 'folio');
  const file = join(into, 'folio.vsix');
  await packVsix(projectRoot, file);
  await unpackVsix(file, folder);
  return { name: await nameOf(folder), folder };
}

/** Bundles the test extension that gives the tests the extension API. */
export function packProbe(into: string): Promise<PackedExtension> {
  return pack(join(import.meta.dirname, 'probe'), join(into, 'probe'));
}

/** Bundles the test extension that uses the API of Folio's, and brings a debugger. */
export function packClient(into: string): Promise<PackedExtension> {
  const debugAdapter = join(projectRoot, 'test', 'support', 'fakeDebugAdapter.ts');
  return pack(join(projectRoot, 'test', 'api', 'client'), join(into, 'guest'), { debugAdapter });
}

/** @param programs that it starts, by the names that it gets them under */
async function pack(
  source: string,
  folder: string,
  programs: Readonly<Record<string, string>> = {},
): Promise<PackedExtension> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: { ...programs, extension: join(source, 'extension.ts') },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    banner: { js: requireBanner },
    logLevel: 'warning',
  });
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
  return { name: await nameOf(folder), folder };
}

async function nameOf(folder: string): Promise<string> {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `${publisher}.${name}-${version}`;
}
