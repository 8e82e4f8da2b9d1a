import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The user's home folder, absolute; `undefined` when nobody knows it. A HOME that is blank or relative does not
 * count: the folder that Folio was started in must not supply settings.
 */
export function findHome(): string | undefined {
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const home = read();
      if (isAbsolute(home)) return home;
    } catch {
      // The system does not know this user.
    }
  }
  return undefined;
}
