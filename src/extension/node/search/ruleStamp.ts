import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomIgnoreFile } from './customIgnoreFiles.ts';
import { findExcludeSources } from './excludeSources.ts';
import { findSearchRoot } from './searchRoot.ts';

/** A version stamp of the ignore files at or above a folder, in Git's data, and in the home folder. */
export async function stampRules(
  folder: string,
  env: NodeJS.ProcessEnv,
  custom: readonly CustomIgnoreFile[],
): Promise<string> {
  const { folders, inRepository } = await findSearchRoot(folder);
  const { files, ignoreCase } = findExcludeSources(inRepository ? folders.at(-1) : undefined, env);
  const names = ['.gitignore', '.ignore', '.geminiignore'];
  const above = folders.flatMap(each => names.map(name => join(each, name)));
  const all = [...files, ...custom.map(({ file }) => file), ...above];
  const versions = await Promise.all(all.map(versionOf));
  return JSON.stringify([ignoreCase, versions]);
}

async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found ? `${path} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : path;
}
