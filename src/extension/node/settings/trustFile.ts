import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface TrustPlaces {
  /** Absolute path. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The file in which the user lists trusted folders. Absolute path, need not exist. */
export function trustFileOf({ home, env }: TrustPlaces): string {
  return env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(home, '.gemini', 'trustedFolders.json');
}

/** Returns whether the user has any, without loading the code that reads them, since most users have none. */
export function hasTrustSettings(places: TrustPlaces): boolean {
  return places.env.GEMINI_CLI_TRUST_WORKSPACE !== undefined || existsSync(trustFileOf(places));
}
