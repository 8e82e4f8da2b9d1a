/* More folders with instruction files that the user configured. */

import { dirname, isAbsolute, join, resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { folderContains } from '../folderPaths.ts';
import type { MemoryFiles, MemorySources } from './memoryPlace.ts';

interface ExtraFolders {
  /** Absolute, in the configured order. */
  readonly folders: readonly string[];
  /** Each a sentence for the user. */
  readonly problems: readonly string[];
}

/** Never rejects. In an untrusted workspace, omits folders whose real path lies in it. */
export async function findExtraFolders(files: MemoryFiles, place: MemorySources): Promise<ExtraFolders> {
  const folders: string[] = [];
  const problems: string[] = [];
  for (const named of new Set(place.extra)) {
    const folder = locate(named, place);
    // Without an open folder, a relative path has no meaning.
    if (folder === undefined) continue;
    const problem = await problemWith(files, folder, place);
    if (problem === 'untrusted') continue;
    if (problem === undefined) folders.push(folder);
    else
      problems.push(t('The memory folder {0} is ignored: {1}. Correct folio.memoryFolders.', named, problem));
  }
  return { folders, problems };
}

function locate(named: string, { home, folders }: MemorySources): string | undefined {
  // User files lie in a folder directly below the home folder, in every workspace.
  if (/^~(?:[/\\]|$)/.test(named)) return join(dirname(home), named.slice(1));
  if (isAbsolute(named)) return resolve(named);
  return folders[0] && resolve(folders[0], named);
}

async function problemWith(
  files: MemoryFiles,
  folder: string,
  { folders, trusted }: MemorySources,
): Promise<string | undefined> {
  try {
    const real = await files.realPath(folder);
    if (!trusted) {
      const roots = await Promise.all(folders.map(each => files.realPath(each)));
      if (roots.some(root => folderContains(root, real))) return 'untrusted';
    }
    const stat = await files.stat(real);
    if (!stat) return t('it does not exist');
    return stat.kind === 'directory' ? undefined : t('it is not a folder');
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}
