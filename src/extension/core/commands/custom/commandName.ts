import { headOf } from '../../../base/text.ts';

const maxSegmentLength = 50;

/** `git/commit` becomes `git:commit`; of other letters than these stays an underscore. */
export function commandName(path: string): string {
  return path.split('/').map(segmentOf).join(':');
}

/** One part of a name, as it can be typed. */
export function segmentOf(text: string): string {
  const plain = text.replace(/[^a-zA-Z0-9_\-.]/gu, '_') || '_';
  return plain.length > maxSegmentLength ? `${headOf(plain, maxSegmentLength - 3)}...` : plain;
}
