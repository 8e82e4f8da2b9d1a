/*
 * Some models escape text once too often: `\n` instead of a line break, `\"` instead of a quote. Removes exactly one
 * level of escaping from the whole text, and only if it is certainly superfluous.
 */

import { isBroken, isWellFormed } from './wellFormed.ts';

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Returns `undefined` if the text was not escaped as a whole, since it holds a bare quote or an invalid escape. */
function unescapeOnce(text: string): string | undefined {
  if (/(?<!\\)(?:\\\\)*"/.test(text)) return undefined;
  let isEscaped = true;
  const plain = text.replace(/\\(u[\da-f]{4}|.|$)/gis, (_all, sign: string) => {
    if (/^u[\da-f]{4}$/i.test(sign)) return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
    if (/^["'`\\/]$/.test(sign)) return sign;
    const letter = letters[sign];
    isEscaped &&= letter !== undefined;
    return letter ?? '';
  });
  return isEscaped ? plain : undefined;
}

export interface EditTexts {
  readonly search: string;
  readonly replacement: string;
}

/**
 * Unescapes both texts of an edit once, if the search text is not in the file but its unescaped form is, exactly once.
 * `undefined` if they are meant literally.
 */
export function withoutExtraEscaping(
  file: string,
  { search, replacement }: EditTexts,
): EditTexts | undefined {
  if (!search.includes('\\') || file.includes(search)) return undefined;
  const [from, to] = [unescapeOnce(search), replacementOf(replacement)];
  if (from !== undefined && to !== undefined && countOf(file, from) === 1)
    return { search: from, replacement: to };
  return withoutHabitualEscapes({ search, replacement }).find(texts => countOf(file, texts.search) === 1);
}

/** Characters that models escape although the language does not: in templates, quotes, shells, Markdown. */
const habits: readonly RegExp[] = [/\\(["'`$])/g, /\\([`${}])/g, /\\([*_`#~>|[\](){}+.!-])/g, /\\([^\w\s])/g];

/** Returns both texts without each kind of escape in the search text, the narrowest kind first. */
export function withoutHabitualEscapes({ search, replacement }: EditTexts): readonly EditTexts[] {
  if (!search.includes('\\')) return [];
  return habits
    .map(habit => ({ search: search.replace(habit, '$1'), replacement: replacement.replace(habit, '$1') }))
    .filter(texts => texts.search !== search);
}

/** Some models escape only line breaks and tabs. */
function withLineBreaks(text: string): string {
  return text.replace(/\\(?:r\\n|[nt])/g, sign => (sign === '\\t' ? '\t' : '\n'));
}

/** A text without escapes may accompany one with too many. */
function replacementOf(text: string): string | undefined {
  return text.includes('\\') ? unescapeOnce(text) : text;
}

/** Returns at most 2, which means several. */
function countOf(text: string, part: string): number {
  const first = part === '' ? -1 : text.indexOf(part);
  if (first < 0) return 0;
  return text.indexOf(part, first + 1) < 0 ? 1 : 2;
}

interface MeantContent {
  readonly text: string;
  /** Message about it for the model. */
  readonly note?: string;
}

/**
 * Returns the intended content of a file. It is unescaped once if no file of its kind can have the given content, but
 * can have the unescaped one.
 * @param name of the argument that holds it
 */
export function intendedContent(path: string, content: string, name: string): MeantContent {
  if (/[\r\n]/.test(content)) return { text: content };
  const text = unescapeOnce(content) ?? withLineBreaks(content);
  if (text === content) return { text: content };
  if (isBroken(path, content) && isWellFormed(path, text)) return { text, note: unescapedNote(name) };
  if (text.split('\n').length < 3) return { text: content };
  const note = `${name} is a single line with \\n in it, and was written like that. If these were meant as line breaks, write the file again with real ones.`;
  return { text: content, note };
}

export function unescapedNote(names: string): string {
  return `${names} came escaped once too often (\\n for a line break, \\" for a quote); that escaping was taken off.`;
}
