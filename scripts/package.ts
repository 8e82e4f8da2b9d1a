/*
 * Makes the .vsix. Fails if it is too large or a part must not be shipped. With --twice it makes a second one, and
 * fails if the bytes differ. With --npm it makes the npm package of the headless program instead.
 */

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packNpm } from './npmPackage.ts';
import { projectRoot, runOrFail } from './run.ts';
import { packVsix, vsixLimit } from './vsix.ts';

const { values } = parseArgs({
  options: { twice: { type: 'boolean', default: false }, npm: { type: 'boolean', default: false } },
});

if (values.npm) {
  await build();
  console.log(await packNpm(projectRoot, projectRoot));
} else {
  await packageExtension();
}

async function packageExtension(): Promise<void> {
  const { name, version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const file = `${name}-${version}.vsix`;
  const path = join(projectRoot, file);
  const digest = await makePackage(path);
  const { size } = await stat(path);
  console.log(
    `${file}: ${(size / 1_000_000).toFixed(2)} MB of ${vsixLimit / 1_000_000} MB, SHA-256 ${digest}`,
  );
  if (size > vsixLimit) {
    console.error('The package is too big. Run "npx vsce ls --tree" to see what is in it.');
    process.exitCode = 1;
  }
  if (values.twice && (await makePackage(path)) !== digest) {
    console.error('A second package of the same source has other bytes.');
    process.exitCode = 1;
  }
}

async function makePackage(path: string): Promise<string> {
  await build();
  console.log(await packVsix(projectRoot, path));
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

async function build(): Promise<void> {
  await runOrFail('node', ['esbuild.mjs', '--production', '--metafile'], 'Folio could not be built');
  await runOrFail('node', ['scripts/notices.ts', '--check'], 'The notices about third parties do not hold');
}
