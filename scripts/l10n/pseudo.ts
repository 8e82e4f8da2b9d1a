/* A language that nobody speaks: English with accents, 40 % longer and in brackets, so that what is cut is seen. */

import { formsOf } from '../../src/protocol/language.ts';

/** `Open {0}` becomes `[Öpén {0}~~~]`; of a plural each form does. */
export function pseudo(message: string): string {
  const forms = formsOf(message);
  if (forms.size === 0) return longer(message);
  return [...forms].map(([name, text]) => `${name}: ${longer(text)}`).join(' | ');
}

function longer(text: string): string {
  const letters = text.replaceAll(/\{\d\}/g, '').length;
  // In words, since a line breaks between those alone.
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
