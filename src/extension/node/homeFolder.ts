import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * Returns the absolute path of the user's home folder, or `undefined` if unknown. Ignores a blank or relative HOME,
 * because the working folder must not supply settings.
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
