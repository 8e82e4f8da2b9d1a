import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface TrustPlaces {
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The file in which the user says which folders are to be trusted; absolute, need not exist. */
export function trustFileOf({ home, env }: TrustPlaces): string {
  return env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(home, '.gemini', 'trustedFolders.json');
}

/** Most people have said nothing, and need not wait for the code that reads it. */
export function saysOfTrust(places: TrustPlaces): boolean {
  return places.env.GEMINI_CLI_TRUST_WORKSPACE !== undefined || existsSync(trustFileOf(places));
}
