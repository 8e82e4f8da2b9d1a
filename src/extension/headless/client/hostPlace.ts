import { join } from 'node:path';

/** The folder of the user's background host. @param home absolute */
export function folderIn(home: string): string {
  return join(home, '.folio', 'background');
}

/** The file in it that holds the sessions; absent: there are none. */
export const recordName = 'sessions.json';
