/*
 * Settings of an organisation: a file of the whole machine, which goes before everything else and which nobody can
 * weaken. No variable and no option names another file, since whoever starts Folio could name one of their own.
 */

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that the administrator alone can have written. */
export async function isAdministratorsFile(path: string): Promise<boolean> {
  const found = await stat(path);
  if (!found.isFile() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
  return await isAdministrators(dirname(path));
}

/** It, and every folder above it, belongs to root, and no other may write there. */
export async function isAdministrators(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== 0) return false;
    // A sticky folder such as /tmp lets everyone add, and only the owner replace.
    if ((found.mode & 0o022) !== 0 && (at === folder || (found.mode & 0o1000) === 0)) return false;
    if (dirname(at) === at) return true;
  }
}
