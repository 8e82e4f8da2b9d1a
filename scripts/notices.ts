/*
 * Writes THIRD-PARTY-NOTICES.txt from the packages in the bundles. Fails if a licence does not allow shipping. With
 * --check it writes nothing, and fails if the file is outdated. Needs
 * `node esbuild.mjs --production --metafile`.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBundledPackages } from './notices/bundledPackages.ts';
import { findProblems } from './notices/licences.ts';
import { describeNotices } from './notices/noticeText.ts';
import { readPackage } from './notices/readPackage.ts';
import { projectRoot } from './run.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = 'THIRD-PARTY-NOTICES.txt';

const names = await findBundledPackages(projectRoot);
const packages = await Promise.all(names.map(folder => readPackage(projectRoot, folder)));
const problems = packages.flatMap(findProblems);
const text = describeNotices(packages);
if (problems.length > 0) fail(problems.join('\n'));
else if (!values.check) await writeFile(join(projectRoot, file), text);
else if ((await readNotices()) !== text)
  fail(`${file} is not what the bundles contain: run "npm run notices".`);
console.log(`${packages.length} packages are part of the bundles.`);

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

async function readNotices(): Promise<string> {
  const written = await readFile(join(projectRoot, file), 'utf8').catch(() => '');
  return written.replaceAll('\r\n', '\n');
}
