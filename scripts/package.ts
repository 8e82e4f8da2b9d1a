/* Makes the installable .vsix, and fails when it is too big. */

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runOrFail } from './run.ts';

const limit = 3_000_000;

const { name, version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
const file = `${name}-${version}.vsix`;
await runOrFail('node', ['esbuild.mjs', '--production', '--metafile'], 'Folio could not be built');
const args = [
  'package',
  // The bundle holds all that is needed of the packages.
  '--no-dependencies',
  // There is no public repository yet that the links and the picture of the README could point to.
  ...['--allow-missing-repository', '--no-rewrite-relative-links'],
  ...['--out', file],
];
await runOrFail('vsce', args, 'The extension could not be packaged');
const { size } = await stat(join(projectRoot, file));
console.log(`${file}: ${(size / 1_000_000).toFixed(2)} MB of ${limit / 1_000_000} MB`);
if (size > limit) {
  console.error('The package is too big. Run "npx vsce ls --tree" to see what is in it.');
  process.exitCode = 1;
}
