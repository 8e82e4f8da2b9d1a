/* Text that comes in pieces and must not reach the disk with a secret in it, which may be cut between two of them. */

import { isFreeOfSecrets, maskSecrets } from '../../base/maskSecrets.ts';
import { tailOf } from '../../base/text.ts';

/** Characters of a text without an end that are kept in mind, so that a secret across pieces is still found. */
export const rememberedText = 32_000;

/** Long and mixed enough to make a whole secret of any beginning of one, with what may have to close it. */
const filler = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9b'.repeat(3);
const continuations = ['', '@', '"', "'", '`'].map(closing => filler + closing);

/** True if no secret can continue behind the end of the text, whatever follows. */
export function endsOutsideSecret(text: string): boolean {
  // The rest begins no word of a secret, so nearly all text is searched once.
  if (isFreeOfSecrets(`${text}${filler}@`)) return true;
  return continuations.every(after => maskSecrets(text + after).endsWith(after));
}

/** Masks the beginning of a secret at the end of a text that may go on. */
export function maskOpenSecret(text: string): string {
  for (const after of continuations) {
    const masked = maskSecrets(text + after);
    if (masked.endsWith(after)) continue;
    // Only what was added is hidden: a name of a secret stands at the end, and nothing of its value.
    if (masked.startsWith(text)) continue;
    return masked.slice(0, masked.length - (after.length - filler.length));
  }
  return maskSecrets(text);
}

export function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/**
 * The newest part of a text, at most so many characters and little more, without the beginning of any secret lost that
 * ends in it: from a new line on, and below the first line of a private key that had begun.
 */
export function newestLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.indexOf('\n', text.length - limit) + 1;
  const from = cut === 0 ? text.length : cut;
  const begin = text.lastIndexOf(keyBegin, from - 1);
  if (begin < 0 || text.slice(begin, from).includes(keyEnd)) return text.slice(from);
  const heading = text.slice(begin, text.indexOf('\n', begin) + 1 || from);
  return heading + text.slice(from);
}

const keyBegin = '-----BEGIN ';
const keyEnd = '-----END ';

/** A stream that writes every piece at once and hides everything that is a secret or may become one. */
export class MaskedStream {
  /** The end of what was written before it was known whether a secret stands there. */
  private open = '';

  /** Returns the part of the next piece that can be written. */
  next(piece: string): string {
    const before = this.open;
    const whole = before + piece;
    const cut = whole.lastIndexOf('\n') + 1;
    const lines = whole.slice(0, cut);
    const isCut = cut > 0 && endsOutsideSecret(lines);
    const rest = isCut ? whole.slice(cut) : whole;
    this.open = tailOf(rest, rememberedText);
    const masked = (isCut ? maskSecrets(lines) : '') + maskOpenSecret(rest);
    return masked.slice(before === '' ? 0 : sharedLength(masked, maskOpenSecret(before)));
  }
}
