/* Writes the generated parts of docs/, package.json and the registry entry. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findStale } from './docs/generated.ts';
import { projectRoot } from './run.ts';

const stale = await findStale();
for (const { path, text } of stale) {
  await writeFile(join(projectRoot, path), text);
  console.log(`${path} is written again.`);
}
if (stale.length === 0) console.log('Everything agrees with the source already.');
