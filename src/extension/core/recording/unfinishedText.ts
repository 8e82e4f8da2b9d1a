/* Masks secrets in streamed text, where a secret may be split across chunks. */

import { isFreeOfSecrets, maskSecrets } from '../../base/maskSecrets.ts';
import { commonPrefixLength, tailOf } from '../../base/text.ts';

/** Characters of unfinished text that are remembered to find secrets across chunks. */
export const maxRememberedText = 32_000;

/** Long and mixed enough to complete the start of any secret, with possible closing characters. */
const filler = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9b'.repeat(3);
const continuations = ['', '@', '"', "'", '`'].map(closing => filler + closing);

/** True if no secret can continue after the end of the text. */
export function endsOutsideSecret(text: string): boolean {
  // The filler cannot be part of a secret, so most text is searched once.
  if (isFreeOfSecrets(`${text}${filler}@`)) return true;
  return continuations.every(after => maskSecrets(text + after).endsWith(after));
}

/** Masks the start of a secret at the end of unfinished text. */
export function maskOpenSecret(text: string): string {
  for (const after of continuations) {
    const masked = maskSecrets(text + after);
    if (masked.endsWith(after)) continue;
    // Only the filler was masked: the text ends with a secret's name, without its value.
    if (masked.startsWith(text)) continue;
    return masked.slice(0, masked.length - (after.length - filler.length));
  }
  return maskSecrets(text);
}

/**
 * Returns the end of a text, about `limit` characters, without losing the start of a secret at its end. It starts at a
 * line, below the first line of a private key.
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

/** A stream that writes each chunk immediately and masks everything that is or may become a secret. */
export class MaskedStream {
  /** End of the output that was written while a secret may have started there. */
  private open = '';

  /** Returns the part of the next chunk that can be written. */
  next(piece: string): string {
    const before = this.open;
    const whole = before + piece;
    const cut = whole.lastIndexOf('\n') + 1;
    const lines = whole.slice(0, cut);
    const isCut = cut > 0 && endsOutsideSecret(lines);
    const rest = isCut ? whole.slice(cut) : whole;
    this.open = tailOf(rest, maxRememberedText);
    const masked = (isCut ? maskSecrets(lines) : '') + maskOpenSecret(rest);
    return masked.slice(before === '' ? 0 : commonPrefixLength(masked, maskOpenSecret(before)));
  }
}
