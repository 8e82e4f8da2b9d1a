/* Limits how many lines of a server's log are passed on. */

import { removeInvisibleText } from './hiddenText.ts';
import { maskSecrets } from './maskSecrets.ts';
import { formatQuantity, headOf, oneLine } from './text.ts';

const maxLines = 100;
const windowMs = 10_000;
const maxLineLength = 1_000;

export class RateLimitedLog {
  private readonly clock: { now(): number };
  private readonly write: (line: string) => void;
  private since = 0;
  private lines = 0;

  constructor(clock: { now(): number }, write: (line: string) => void) {
    this.clock = clock;
    this.write = write;
  }

  /** Returns the line as shown. */
  add(text: string): string {
    const line = oneLine(removeInvisibleText(maskSecrets(headOf(text, 2 * maxLineLength))), maxLineLength);
    const now = this.clock.now();
    if (now - this.since >= windowMs) {
      const left = this.lines - maxLines;
      this.since = now;
      this.lines = 0;
      if (left > 0) this.write(`${formatQuantity(left, 'more line')} came in a short time.`);
    }
    this.lines++;
    if (this.lines <= maxLines) this.write(line);
    return line;
  }
}
