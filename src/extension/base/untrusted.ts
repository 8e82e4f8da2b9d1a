/*
 * Text from commands, the web and other programs may contain instructions. It reaches the model only between tags that
 * mark it as data; the system prompt explains them.
 */

import { removeInvisibleText } from './hiddenText.ts';
import { headOf } from './text.ts';

export type UntrustedTag = 'untrusted_output' | 'untrusted_content';

/** Encloses the text in a tag. The text cannot close or open one: whatever resembles such a tag loses its bracket. */
export function wrapUntrusted(tag: UntrustedTag, text: string): string {
  const inner = defuseTags(text, 'untrusted');
  return `<${tag}>\n${inner}${inner.endsWith('\n') ? '' : '\n'}</${tag}>`;
}

/** Cleans third-party tool descriptions, which are declared without a fence: removes our tags and hidden characters. */
export function sanitiseDescription(text: string, limit: number): string {
  return headOf(defuseTags(removeInvisibleText(text), 'untrusted'), limit);
}

/**
 * Replaces each bracket that opens or closes a tag whose name begins with `name` by `‹`. Also matches other cases,
 * blanks, invisible characters, accents, other brackets and letters of other scripts.
 * @param name letters a to z in lower case, or underscores
 */
export function defuseTags(text: string, name: string): string {
  return text.replace(everyBracket, (bracket, at: number) => (isNamed(text, at + 1, name) ? '‹' : bracket));
}

/** Characters that a model may read as `<`. */
const brackets =
  /[<\u00ab\u02c2\u1438\u2039\u227a\u2329\u276e\u2770\u27e8\u27ea\u29fc\u3008\u300a\ufe64\uff1c]/u;
const everyBracket = new RegExp(brackets, 'gu');

/**
 * Reads from the bracket to the first letter that differs from the name. No bracket reads beyond the next, so the total
 * time is linear in the text.
 */
function isNamed(text: string, from: number, name: string): boolean {
  let found = 0;
  for (let at = from; at < text.length; ) {
    const letter = String.fromCodePoint(text.codePointAt(at)!);
    at += letter.length;
    if (brackets.test(letter)) return false;
    const plain = plainLetter(letter);
    if (plain === name[found]) {
      found++;
      if (found === name.length) return true;
      continue;
    }
    const isPassedOver = found === 0 ? !/^[a-z0-9]/.test(plain) : plain === '';
    if (!isPassedOver) return false;
  }
  return false;
}

/** Returns the letter that it looks like, in lower case; empty for blanks and invisible characters. */
function plainLetter(letter: string): string {
  if (/[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(letter)) return '';
  if (letter <= '\x7f') return letter.toLowerCase();
  const [first = ''] = letter.normalize('NFKD');
  return lookAlikes.get(first) ?? first.toLowerCase();
}

/** Letters of other scripts that look like a Latin one, from Unicode's list of confusable characters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аΑаɑα',
    c: 'сСϲ',
    d: 'ԁԀɗđ',
    e: 'еЕҽɛεΕℯ',
    i: 'іІιΙıɩ',
    k: 'кКκΚ',
    l: 'ӏΙІ',
    m: 'мМΜ',
    n: 'пнηոΝɴƞŋ',
    o: 'оОοΟօ',
    p: 'рРρΡ',
    r: 'гɾʀг',
    s: 'ѕЅʂꜱ',
    t: 'тТτΤʈŧ',
    u: 'υսцʋᴜυ',
    x: 'хХχΧ',
    y: 'уУγΥ',
    _: '‗＿',
  }).flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)),
);
