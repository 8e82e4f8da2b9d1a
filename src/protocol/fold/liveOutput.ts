import { tailOf } from '../words/cutText.ts';

/** How much of a running call's output is passed on and kept, in characters; the whole is the core's business. */
const limit = 16_000;

/** The newest part of a live output. */
export function newestOutput(text: string): string {
  return tailOf(text, limit);
}
