/* Folders beside the project whose memory files the user wants read. */

import { dirname, isAbsolute, join, resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { contains } from '../folderPaths.ts';
import type { MemoryFiles, MemoryPlace } from './memoryPlace.ts';

interface ExtraFolders {
  /** Absolute, in the order in which they are named. */
  readonly folders: readonly string[];
  /** Each a sentence for the user. */
  readonly problems: readonly string[];
}

/** Never rejects. In a workspace that is not trusted, folders that really lie in it are left out. */
export async function findExtraFolders(files: MemoryFiles, place: MemoryPlace): Promise<ExtraFolders> {
  const folders: string[] = [];
  const problems: string[] = [];
  for (const named of new Set(place.extra)) {
    const folder = locate(named, place);
    // A relative path means nothing where no folder is open.
    if (folder === undefined) continue;
    const problem = await problemWith(files, folder, place);
    if (problem === 'untrusted') continue;
    if (problem === undefined) folders.push(folder);
    else
      problems.push(t('The memory folder {0} is ignored: {1}. Correct folio.memoryFolders.', named, problem));
  }
  return { folders, problems };
}

function locate(named: string, { home, folders }: MemoryPlace): string | undefined {
  // Things of the user's own lie in a folder right below their home folder in every workspace.
  if (/^~(?:[/\\]|$)/.test(named)) return join(dirname(home), named.slice(1));
  if (isAbsolute(named)) return resolve(named);
  return folders[0] && resolve(folders[0], named);
}

async function problemWith(
  files: MemoryFiles,
  folder: string,
  { folders, trusted }: MemoryPlace,
): Promise<string | undefined> {
  try {
    const real = await files.realPath(folder);
    if (!trusted) {
      const roots = await Promise.all(folders.map(each => files.realPath(each)));
      if (roots.some(root => contains(root, real))) return 'untrusted';
    }
    const stat = await files.stat(real);
    if (!stat) return t('it does not exist');
    return stat.kind === 'directory' ? undefined : t('it is not a folder');
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}
