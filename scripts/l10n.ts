/* Writes the English catalog from the source, and reports missing translations. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProblems, generatedFiles, readMessages } from './l10n/catalogs.ts';
import { projectRoot } from './run.ts';

const files = generatedFiles(await readMessages());
for (const [path, text] of Object.entries(files)) await writeFile(join(projectRoot, path), text);
const problems = await findProblems();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every sentence is translated.');
