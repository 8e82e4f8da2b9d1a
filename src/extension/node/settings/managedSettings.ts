/*
 * An organisation's settings: one file for the whole machine that wins over everything else. No variable or option
 * names another file, since whoever starts Folio could name their own.
 */

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** True if only the administrator can have written the file. */
export async function isAdministratorsFile(path: string): Promise<boolean> {
  const found = await stat(path);
  if (!found.isFile() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
  return await isAdministratorsFolder(dirname(path));
}

/** True if it and every parent folder belong to root and are not writable by others. */
export async function isAdministratorsFolder(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== 0) return false;
    // In a sticky folder such as /tmp everyone may add, but only the owner may replace.
    if ((found.mode & 0o022) !== 0 && (at === folder || (found.mode & 0o1000) === 0)) return false;
    if (dirname(at) === at) return true;
  }
}
