import { headOf } from '../../../base/text.ts';

const maxSegmentLength = 50;

/** Converts `git/commit` to `git:commit`. Other special characters become underscores. */
export function commandName(path: string): string {
  return path.split('/').map(toNameSegment).join(':');
}

/** Converts one part of a name so that it can be typed. */
export function toNameSegment(text: string): string {
  const plain = text.replace(/[^a-zA-Z0-9_\-.]/gu, '_') || '_';
  return plain.length > maxSegmentLength ? `${headOf(plain, maxSegmentLength - 3)}...` : plain;
}
