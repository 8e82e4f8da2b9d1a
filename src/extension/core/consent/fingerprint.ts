import { createHash } from 'node:crypto';

/**
 * Decisions of people are kept under these texts, so they stay the same from version to version.
 * @param whole where the thing stands and all that says what it does
 */
export function fingerprintOf(kind: string, whole: string): string {
  return `${kind}-${createHash('sha256').update(whole).digest('hex')}`;
}
