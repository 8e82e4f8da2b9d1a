/*
 * Quotes an argument as one word for the shell. The right quoting depends on the context, so the line before it is
 * parsed like the shell does. If the shell would still expand quoted text there, the argument is refused.
 */

import { type LocalizedMessage, t } from '../../../../protocol/language.ts';

type QuotedArgument =
  | { readonly kind: 'quoted'; readonly text: string }
  /** `why`: the end of a sentence about the place. */
  | { readonly kind: 'refused'; readonly why: LocalizedMessage };

/** @param before the command line up to the argument, including earlier arguments */
export function quoteArgument(text: string, before: string, platform: string): QuotedArgument {
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

/** Replaces each `{name}` by a word quoted for the shell. Missing words are left out. */
export function fillShellPlaceholders(
  command: string,
  words: Readonly<Record<string, string | undefined>>,
  platform: string,
): QuotedArgument {
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
  | { readonly kind: 'unsafe'; readonly why: LocalizedMessage };

type Level = 'bare' | 'single' | 'double' | 'parenthesis';

const checked: LocalizedMessage = () => t('is in a place where the shell evaluates quoted text');

/**
 * Finds bash's quoting state after this text. It only follows unambiguous syntax: plain quotes and `$(…)`, but no
 * here-documents, `$'…'`, backticks, `${…}`, `((…))`, comments, or `case` in a substitution.
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
  // A parenthesis in a `case` pattern would end the substitution too early.
  if (substituted && /\bcase\b/.test(text)) return unsafe(checked);
  const level = stack.at(-1)!;
  return { kind: level === 'parenthesis' ? 'bare' : level };
}

function unsafe(why: LocalizedMessage): Place {
  return { kind: 'unsafe', why };
}

/** PowerShell treats typographic quotes like plain ones. */
function quoteForPowerShell(text: string, before: string): QuotedArgument {
  const plain = before.replace(/'[^']*'|"[^"`$]*"/g, '');
  if (/['"`@#\u2018-\u201f]|\$$/.test(plain)) return { kind: 'refused', why: checked };
  return { kind: 'quoted', text: `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'` };
}
