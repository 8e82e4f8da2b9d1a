import { createHash } from 'node:crypto';

/**
 * Decisions of users are stored under fingerprints, so the format must not change.
 * @param whole location of the thing and everything that defines its effect
 */
export function fingerprintOf(kind: string, whole: string): string {
  return `${kind}-${createHash('sha256').update(whole).digest('hex')}`;
}
