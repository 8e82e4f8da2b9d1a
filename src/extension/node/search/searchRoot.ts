import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SearchError } from '../../platform/search.ts';
import { isMissing } from '../files/fileErrors.ts';

/** Where a search begins. */
export interface SearchRoot {
  /** Absolute; what globs are relative to. */
  readonly folder: string;
  /** Name of the one file to search in `folder`. */
  readonly file?: string;
  /** The nearest `.geminiignore` of this folder or one above it, up to the repository's root. */
  readonly geminiIgnore?: string;
  /** A folder at or above this one holds `.git`. */
  readonly inRepository: boolean;
}

/** Rejects with a `SearchError` when there is nothing to search. */
export async function findSearchRoot(path: string): Promise<SearchRoot> {
  const kind = await findKind(path);
  if (kind === undefined) throw new SearchError(`There is no file or folder ${path}.`);
  const folder = kind === 'folder' ? path : dirname(path);
  const folders = await repositoryFolders(folder);
  const geminiIgnore = await findGeminiIgnore(folders);
  return {
    folder,
    inRepository: await holdsRepository(folders.at(-1)!),
    file: kind === 'file' ? basename(path) : undefined,
    geminiIgnore,
  };
}

/** `folder` and those above it, up to the first that holds `.git`; all of them when none does. */
export async function repositoryFolders(folder: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    folders.push(each);
    if (dirname(each) === each || (await holdsRepository(each))) return folders;
  }
}

/** Says whether `folder` or one above it holds `.git`. */
export async function isInRepository(folder: string): Promise<boolean> {
  const folders = await repositoryFolders(folder);
  return await holdsRepository(folders.at(-1)!);
}

/** Relative with `/`; empty for the folder itself. */
export function slashed(folder: string, path: string): string {
  // Where tens of thousands of paths are asked for, finding a way between two takes longer than all the rest.
  const inside = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : relative(folder, path);
  return sep === '/' ? inside : inside.replaceAll(sep, '/');
}

async function findGeminiIgnore(folders: readonly string[]): Promise<string | undefined> {
  for (const each of folders) {
    const file = join(each, '.geminiignore');
    if ((await findKind(file)) === 'file') return file;
  }
  return undefined;
}

async function holdsRepository(folder: string): Promise<boolean> {
  return (await findKind(join(folder, '.git'))) !== undefined;
}

async function findKind(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new SearchError(`${path} cannot be searched: the system denies access.`);
  }
}
