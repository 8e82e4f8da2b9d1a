/*
 * Text from commands, the web and other programs may try to give orders. It reaches the model only between tags that
 * say what it is; the system prompt says what they mean.
 */

import { withoutHidden } from './hiddenText.ts';
import { headOf } from './text.ts';

export type UntrustedTag = 'untrusted_output' | 'untrusted_content';

/** The text cannot close the fence automatically, nor open one: what may pass for such a tag loses its bracket. */
export function fence(tag: UntrustedTag, text: string): string {
  const inner = withoutTags(text, 'untrusted');
  return `<${tag}>\n${inner}${inner.endsWith('\n') ? '' : '\n'}</${tag}>`;
}

/**
 * Cleans foreign descriptions of tools, which are declared without a fence: they keep no tags of ours and no hidden
 * characters.
 */
export function declaredText(text: string, limit: number): string {
  return headOf(withoutTags(withoutHidden(text), 'untrusted'), limit);
}

/**
 * The text with `‹` in place of each bracket that opens or closes a tag whose name begins with `name`, also where it
 * is written with other cases, blanks, invisible characters, accents, other brackets or letters of other scripts.
 * @param name letters of a to z in lower case, or underscores
 */
export function withoutTags(text: string, name: string): string {
  return text.replace(everyBracket, (bracket, at: number) => (isNamed(text, at + 1, name) ? '‹' : bracket));
}

/** Characters that a model may read as `<`. */
const brackets =
  /[<\u00ab\u02c2\u1438\u2039\u227a\u2329\u276e\u2770\u27e8\u27ea\u29fc\u3008\u300a\ufe64\uff1c]/u;
const everyBracket = new RegExp(brackets, 'gu');

/**
 * Reads on from the bracket to the first letter that is not the name's, so that the time of all brackets together
 * grows with the text: none reads beyond the next.
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

/** As it looks, in lower case; empty for blanks and what is drawn as nothing. */
function plainLetter(letter: string): string {
  if (/[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(letter)) return '';
  if (letter <= '\x7f') return letter.toLowerCase();
  const [first = ''] = letter.normalize('NFKD');
  return lookAlikes.get(first) ?? first.toLowerCase();
}

/** Letters of other scripts, by the Latin one that they pass for; after Unicode's list of confusable characters. */
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
