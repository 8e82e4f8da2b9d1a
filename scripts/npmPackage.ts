/* Makes the npm package: the headless program, which editors start by `npx`. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** In the scope of the repository's owner, so that nobody else can publish it. */
export const npmName = '@folio-agent/folio';

const parts = [
  'dist/headless.cjs',
  'dist/headless',
  'dist/wasm',
  'dist/docs/folio.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
];

/** Packs the build in `folder`. Returns the path of the archive in `target`. */
export async function packNpm(folder: string, target: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'folio-npm-'));
  try {
    for (const part of parts) {
      await mkdir(join(stage, part, '..'), { recursive: true });
      await cp(join(folder, part), join(stage, part), { recursive: true });
    }
    await cp(join(folder, 'docs', 'acp.md'), join(stage, 'README.md'));
    await writeFile(join(stage, 'package.json'), await manifestOf(folder));
    const args = ['pack', '--json', '--pack-destination', target];
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: stage,
      shell: process.platform === 'win32',
    });
    const [{ filename }] = JSON.parse(stdout);
    return join(target, filename);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function manifestOf(folder: string): Promise<string> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const { version, license, homepage, repository, bugs, engines } = await read('package.json');
  const { description } = await read('package.nls.json');
  const manifest = {
    name: npmName,
    version,
    description,
    license,
    homepage,
    repository,
    bugs,
    engines: { node: engines.node },
    bin: { folio: 'dist/headless.cjs' },
    publishConfig: { access: 'public' },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
