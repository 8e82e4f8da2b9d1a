import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SearchError } from '../../platform/search.ts';
import { isMissing } from '../files/fileErrors.ts';

export interface SearchRoot {
  /** Absolute path to which globs are relative. */
  readonly folder: string;
  /** Name of the only file to search in `folder`. */
  readonly file?: string;
  /** The nearest `.geminiignore` in this folder or its parents, up to the repository's root. */
  readonly geminiIgnore?: string;
  /** `folder` and its parents up to the first with `.git`, or all of them if there is none. */
  readonly folders: readonly string[];
  /** The last folder contains `.git`. */
  readonly inRepository: boolean;
}

/** Rejects with a `SearchError` if there is nothing to search. */
export async function findSearchRoot(path: string): Promise<SearchRoot> {
  const kind = await findKind(path);
  if (kind === undefined) throw new SearchError(`There is no file or folder ${path}.`);
  const folder = kind === 'folder' ? path : dirname(path);
  const place = await findRepository(folder);
  const file = kind === 'file' ? basename(path) : undefined;
  return { folder, ...place, file, geminiIgnore: await findGeminiIgnore(place.folders) };
}

/** Returns whether `folder` or one of its parents contains `.git`. */
export async function isInRepository(folder: string): Promise<boolean> {
  return (await findRepository(folder)).inRepository;
}

async function findRepository(folder: string): Promise<Pick<SearchRoot, 'folders' | 'inRepository'>> {
  const all = withParents(folder);
  // In parallel, because sequential answers would each wait for other work.
  const scans = await Promise.allSettled(all.map(each => findKind(join(each, '.git'))));
  for (const [index, scan] of scans.entries()) {
    if (scan.status === 'rejected') throw scan.reason;
    if (scan.value !== undefined) return { folders: all.slice(0, index + 1), inRepository: true };
  }
  return { folders: all, inRepository: false };
}

function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** Relative with `/`. Empty for the folder itself. */
export function relativeSlashed(folder: string, path: string): string {
  // Avoids `relative`, which dominates the time for tens of thousands of paths.
  const inside = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : relative(folder, path);
  return sep === '/' ? inside : inside.replaceAll(sep, '/');
}

async function findGeminiIgnore(folders: readonly string[]): Promise<string | undefined> {
  const files = folders.map(each => join(each, '.geminiignore'));
  const kinds = await Promise.all(files.map(findKind));
  return files[kinds.indexOf('file')];
}

async function findKind(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new SearchError(`${path} cannot be searched: the system denies access.`);
  }
}
