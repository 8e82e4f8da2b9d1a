/* Reports what start.ts needs but is missing: the packages, and the Node that comes with them. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const [major = 0] = process.versions.node.split('.').map(Number);

if (!existsSync(join(root, 'node_modules', '.bin', 'esbuild'))) {
  fail('The packages of Folio are not installed. Run "npm ci", then "npm start" again.');
} else if (major < 24) {
  fail(
    `Node ${process.versions.node} is too old for this script. Run it as "npm start", which takes the Node that "npm ci" installed.`,
  );
} else {
  await import('./start.ts');
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
