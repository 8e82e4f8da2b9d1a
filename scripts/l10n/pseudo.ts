/* A pseudo-language to find cut texts: English with accents, 40 % longer and in brackets. */

import { formsOf } from '../../src/protocol/language.ts';

/** Converts `Open {0}` to `[Öpén {0}~~~]`, or each form of a plural. */
export function pseudo(message: string): string {
  const forms = formsOf(message);
  if (forms.size === 0) return longer(message);
  return [...forms].map(([name, text]) => `${name}: ${longer(text)}`).join(' | ');
}

function longer(text: string): string {
  const letters = text.replaceAll(/\{\d\}/g, '').length;
  // Separate words, since lines break only between words.
  const more = 'lorem ipsum dolor sit amet '
    .repeat(10)
    .slice(0, Math.ceil(letters * 0.4))
    .trim();
  const accented = text
    .split(/(\{\d\})/)
    .map(part => (part.startsWith('{') ? part : part.replaceAll(/[aeiou]/g, vowel => accents[vowel]!)));
  return `[${accented.join('')} ${more}]`;
}

const accents: Readonly<Record<string, string>> = { a: 'å', e: 'é', i: 'ï', o: 'ö', u: 'ü' };
