import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../run.ts';

export type Catalog = Readonly<Record<string, string>>;

/** @param path relative to the repository */
export async function readCatalog(path: string): Promise<Catalog> {
  return JSON.parse(await readFile(join(projectRoot, path), 'utf8'));
}
