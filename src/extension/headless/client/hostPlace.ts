import { join } from 'node:path';

/** The folder of the user's background host. @param home absolute path */
export function hostFolderIn(home: string): string {
  return join(home, '.folio', 'background');
}

/** The file with its sessions. Missing if there are none. */
export const hostRecordName = 'sessions.json';
