/*
 * An argument as one word of a command line that the shell takes as it is. How that is written depends on what stands
 * around it, so the line up to it is read as the shell would; where a quoted text would still be checked by the
 * shell, it is refused rather than guessed.
 */

import { type Saying, t } from '../../../../protocol/language.ts';

export type Quoted =
  | { readonly kind: 'quoted'; readonly text: string }
  /** `why`: the end of a sentence about the place. */
  | { readonly kind: 'refused'; readonly why: Saying };

/** @param before the command line up to the argument, with earlier arguments in it */
export function quoteArgument(text: string, before: string, platform: string): Quoted {
  if (text.includes('\0')) return { kind: 'refused', why: () => t('contains a NUL character') };
  if (platform === 'win32') return quoteForPowerShell(text, before);
  const place = readBash(before);
  if (place.kind === 'unsafe') return { kind: 'refused', why: place.why };
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  switch (place.kind) {
    case 'bare':
      return { kind: 'quoted', text: quoted };
    case 'single':
      return { kind: 'quoted', text: `'${quoted}'` };
    case 'double':
      return { kind: 'quoted', text: `"${quoted}"` };
  }
}

/** Puts each word in the place of its `{name}`, as one word for the shell. What is absent is left out. */
export function fillWords(
  command: string,
  words: Readonly<Record<string, string | undefined>>,
  platform: string,
): Quoted {
  let text = '';
  for (const [at, piece] of command.split(/\{(\w+)\}/).entries()) {
    const isName = at % 2 === 1 && piece in words;
    if (!isName) {
      text += at % 2 === 1 ? `{${piece}}` : piece;
      continue;
    }
    const word = words[piece];
    if (word === undefined) continue;
    const quoted = quoteArgument(word, text, platform);
    if (quoted.kind === 'refused') return quoted;
    text += quoted.text;
  }
  return { kind: 'quoted', text };
}

type Place =
  | { readonly kind: 'bare' | 'single' | 'double' }
  | { readonly kind: 'unsafe'; readonly why: Saying };

type Level = 'bare' | 'single' | 'double' | 'parenthesis';

const checked: Saying = () => t('is in a place where the shell evaluates quoted text');

/**
 * Where bash is at the end of this text. Only what surely means the same in every reading is followed: plain quotes
 * and `$(…)`; here-documents, `$'…'`, backticks, `${…}`, `((…))`, comments and `case` in a substitution are not.
 */
function readBash(text: string): Place {
  const stack: Level[] = ['bare'];
  let substituted = false;
  for (let at = 0; at < text.length; at++) {
    const level = stack.at(-1)!;
    const char = text[at]!;
    const next = text[at + 1];
    if (level === 'single') {
      if (char === "'") stack.pop();
      continue;
    }
    if (char === '\\') {
      if (next === undefined) return unsafe(() => t('comes directly after a backslash'));
      at++;
      continue;
    }
    if (char === '`') return unsafe(() => t('comes after a backtick'));
    if (char === '$') {
      if (next === undefined) return unsafe(() => t('comes directly after a dollar sign'));
      if (next === '{' || next === '[') return unsafe(checked);
      if (level !== 'double' && (next === "'" || next === '"'))
        return unsafe(() => t('comes after {0}', char + next));
      if (next === '(') {
        if (text[at + 2] === '(') return unsafe(checked);
        substituted = true;
        stack.push('parenthesis');
        at++;
      }
      continue;
    }
    if (char === '"') {
      if (level === 'double') stack.pop();
      else stack.push('double');
      continue;
    }
    if (level === 'double') continue;
    if (char === "'") stack.push('single');
    else if (char === '(') {
      if (next === '(') return unsafe(checked);
      stack.push('parenthesis');
    } else if (char === ')') {
      if (level === 'parenthesis') stack.pop();
    } else if (char === '<' && next === '<') {
      return unsafe(() => t('comes after a here-document'));
    } else if (char === '#' && (at === 0 || /[\s;&|()<>]/.test(text[at - 1]!))) {
      return unsafe(() => t('comes after a comment'));
    } else if (char === '[' && next === '[') {
      return unsafe(checked);
    }
  }
  // The parenthesis of a pattern of `case` would end the substitution too early.
  if (substituted && /\bcase\b/.test(text)) return unsafe(checked);
  const level = stack.at(-1)!;
  return { kind: level === 'parenthesis' ? 'bare' : level };
}

function unsafe(why: Saying): Place {
  return { kind: 'unsafe', why };
}

/** PowerShell takes typographic quotes for its own. */
function quoteForPowerShell(text: string, before: string): Quoted {
  const plain = before.replace(/'[^']*'|"[^"`$]*"/g, '');
  if (/['"`@#\u2018-\u201f]|\$$/.test(plain)) return { kind: 'refused', why: checked };
  return { kind: 'quoted', text: `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'` };
}
