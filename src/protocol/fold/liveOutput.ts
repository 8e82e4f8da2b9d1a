import { tailOf } from '../words/cutText.ts';

/** Characters of a running call's output that are sent and kept. The core has all of it. */
const limit = 16_000;

export function newestOutput(text: string): string {
  return tailOf(text, limit);
}
