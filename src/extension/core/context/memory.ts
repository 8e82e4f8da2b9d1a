/* Reads instruction files: the user's, and the project's in a trusted workspace. */

import { dirname, join, relative } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { formatBytes } from '../../base/text.ts';
import type { FileStat } from '../../platform/fileSystem.ts';
import { isFileName } from '../../platform/settingFiles/settingChecks.ts';
import { folderContains } from '../folderPaths.ts';
import { findProtection } from '../protectedPaths.ts';
import { findExtraFolders } from './extraFolders.ts';
import { expandImports, memoryLimit } from './memoryImports.ts';
import type { MemoryFiles, MemorySources } from './memoryPlace.ts';

export interface Memory {
  /**
   * From general to specific: the user's, those of extensions and extra folders, then each repository from its root
   * down.
   */
  readonly blocks: readonly MemoryBlock[];
  /** Files that exist but could not be used, each a sentence for the user. */
  readonly problems: readonly string[];
  /** Real paths of all loaded files, including imports. */
  readonly loaded: ReadonlySet<string>;
  /** Complete texts by real path; cut files are missing. */
  readonly whole: ReadonlyMap<string, string>;
}

export interface MemoryBlock {
  /** Absolute. */
  readonly path: string;
  /** With its imports. */
  readonly text: string;
}

/** Larger files are not meant for a model. */
const sizeLimit = 1024 * 1024;

/** The file that `save_memory` writes. It is read regardless of the setting for memory file names. */
export const savedMemoryFileName = 'GEMINI.md';

/** Another program's name. Such a file mostly repeats files of other names, so it is skipped beside them. */
const stopgapName = 'CLAUDE.md';

/**
 * Never rejects. Reads each file once, even under two names or through an import. Project files must lie in the
 * project.
 */
export async function readMemory(files: MemoryFiles, place: MemorySources): Promise<Memory> {
  const personal = [...new Set([savedMemoryFileName, ...place.names.slice(0, 1)])];
  const candidates = candidatesIn(place.home, personal, undefined, place.home);
  const theirs = join(dirname(place.home), '.claude');
  if (place.names.includes(stopgapName))
    candidates.push({ path: join(theirs, stopgapName), within: undefined, imports: theirs });
  for (const { path, within, isNamed } of place.single ?? [])
    candidates.push({ path, within, imports: within, isNamed });
  const { folders: extra, problems } = await findExtraFolders(files, place);
  for (const folder of extra) candidates.push(...candidatesIn(folder, place.names, folder, folder));
  for (const folder of place.trusted ? place.folders : []) {
    const way = await foldersFromRoot(files, folder);
    for (const step of way) candidates.push(...candidatesIn(step, place.names, way[0], way[0]));
  }
  const memory = await readCandidates(files, candidates, new Set());
  return { ...memory, problems: [...problems, ...memory.problems] };
}

/** Reads the memory files of one project folder. `seen`: real paths already loaded. Never rejects. */
export function readFolderMemory(
  files: MemoryFiles,
  folder: string,
  { names, root, seen }: { names: readonly string[]; root: string; seen: ReadonlySet<string> },
): Promise<Memory> {
  return readCandidates(files, candidatesIn(folder, names, root, root), new Set(seen));
}

/** Lists folders from the repository's root down to this one, or only this one without a repository. Never rejects. */
export async function foldersFromRoot(
  files: MemoryFiles,
  folder: string,
): Promise<readonly [string, ...string[]]> {
  const above = [folder];
  for (let step = folder; dirname(step) !== step; step = dirname(step)) above.push(dirname(step));
  // Concurrent, since each prompt waits for it. A folder without access is not part of the project.
  const scans = above.map(step => files.stat(join(step, '.git')).catch(() => 'forbidden' as const));
  const found = await Promise.all(scans);
  const root = found.findIndex(Boolean);
  if (root < 0 || found[root] === 'forbidden') return [folder];
  return above.slice(0, root + 1).reverse() as [string, ...string[]];
}

interface Candidate {
  readonly path: string;
  /** Folder that must contain the real file; absent for the user's file. */
  readonly within: string | undefined;
  /** Folder that must contain real paths of imports. */
  readonly imports: string;
  readonly isNamed?: boolean;
  /** Skipped if one of these was read. */
  readonly unless?: readonly string[];
}

function candidatesIn(
  folder: string,
  names: readonly string[],
  within: string | undefined,
  imports: string,
): Candidate[] {
  const plain = names.filter(isFileName);
  const others = plain.filter(name => name !== stopgapName).map(name => join(folder, name));
  const last = plain.includes(stopgapName) ? [join(folder, stopgapName)] : [];
  return [
    ...others.map(path => ({ path, within, imports })),
    ...last.map(path => ({ path, within, imports, unless: others })),
  ];
}

/** Sequential, since a file imported earlier is not read again. */
async function readCandidates(
  files: MemoryFiles,
  candidates: readonly Candidate[],
  loaded: Set<string>,
): Promise<Memory> {
  const blocks: MemoryBlock[] = [];
  const problems: string[] = [];
  const whole = new Map<string, string>();
  // Most do not exist, so check all at once.
  const scans = await Promise.allSettled(candidates.map(({ path }) => files.stat(path)));
  for (const [at, candidate] of candidates.entries()) {
    const { path, unless } = candidate;
    if (blocks.some(block => unless?.includes(block.path))) continue;
    try {
      const scan = scans[at]!;
      if (scan.status === 'rejected') throw scan.reason;
      const text = await readCandidate(files, candidate, scan.value, { loaded, whole });
      if (text !== undefined) blocks.push({ path, text });
    } catch (error) {
      problems.push(t('The memory file {0} is ignored: {1}.', path, messageOf(error)));
    }
  }
  return { blocks, problems, loaded, whole };
}

/** Returns `undefined` if there is nothing to load. Throws if an existing file cannot be used. */
async function readCandidate(
  files: MemoryFiles,
  { path, within, imports, isNamed }: Candidate,
  stat: FileStat | undefined,
  { loaded, whole }: { readonly loaded: Set<string>; readonly whole: Map<string, string> },
): Promise<string | undefined> {
  if (stat?.kind !== 'file') {
    if (isNamed) throw new Error(stat ? t('it is not a file') : t('it does not exist'));
    return undefined;
  }
  const real = await files.realPath(path);
  const root = within === undefined ? undefined : await files.realPath(within);
  const isSingle = isNamed !== undefined;
  if (root !== undefined && !folderContains(root, real))
    throw new Error(
      isSingle
        ? t('it is a link that leads out of the extension')
        : t('it is a link that leads out of the project'),
    );
  // Others chose its name.
  if (isSingle && root !== undefined && findProtection(relative(root, real), 'read'))
    throw new Error(t('it may hold secrets'));
  if (loaded.has(real)) return undefined;
  if (stat.size > sizeLimit) throw new Error(`it is larger than ${formatBytes(sizeLimit)}`);
  const { text } = await files.readText(path);
  if (text.trim() === '') return undefined;
  loaded.add(real);
  if (text.length <= memoryLimit) whole.set(real, text);
  const budget = { characters: memoryLimit, attempts: 100 };
  return expandImports(
    { files, root: await files.realPath(imports), loaded, whole, budget },
    { path: real, text },
  );
}
