/*
 * Some models escape what they send once too often: `\n` stands where a line should end, `\"` where a quote should
 * stand. Taken off is exactly one escaping, of the whole text, and only where it is certain that there is one too many.
 */

import { isBroken, isWellFormed } from './wellFormed.ts';

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** `undefined`: this text cannot have been escaped as a whole, since it holds a bare quote or what is no escape. */
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

export interface Texts {
  readonly search: string;
  readonly replacement: string;
}

/**
 * Both texts of an edit with one escaping less, each by the same rule, when the search text as given is not in the file and without it stands
 * there exactly once. `undefined`: they are to be taken as given.
 */
export function withoutExtraEscaping(file: string, { search, replacement }: Texts): Texts | undefined {
  if (!search.includes('\\') || file.includes(search)) return undefined;
  const [from, to] = [unescapeOnce(search), replacementOf(replacement)];
  if (from !== undefined && to !== undefined && countOf(file, from) === 1)
    return { search: from, replacement: to };
  return withoutHabits({ search, replacement }).find(texts => countOf(file, texts.search) === 1);
}

/** Characters that models escape where the language does not want it: in templates, quotes, shells, Markdown. */
const habits: readonly RegExp[] = [/\\(["'`$])/g, /\\([`${}])/g, /\\([*_`#~>|[\](){}+.!-])/g, /\\([^\w\s])/g];

/** Both texts without the escapes of each habit that the search text shows, the narrowest habit first. */
export function withoutHabits({ search, replacement }: Texts): readonly Texts[] {
  if (!search.includes('\\')) return [];
  return habits
    .map(habit => ({ search: search.replace(habit, '$1'), replacement: replacement.replace(habit, '$1') }))
    .filter(texts => texts.search !== search);
}

/** Some models escape line breaks and tabs alone. */
function withLineBreaks(text: string): string {
  return text.replace(/\\(?:r\\n|[nt])/g, sign => (sign === '\\t' ? '\t' : '\n'));
}

/** A text without any escape may well come beside one with too many. */
function replacementOf(text: string): string | undefined {
  return text.includes('\\') ? unescapeOnce(text) : text;
}

/** Two are as good as many. */
function countOf(text: string, part: string): number {
  const first = part === '' ? -1 : text.indexOf(part);
  if (first < 0) return 0;
  return text.indexOf(part, first + 1) < 0 ? 1 : 2;
}

interface MeantContent {
  readonly text: string;
  /** Tells the model about it. */
  readonly note?: string;
}

/**
 * The intended content of a whole file. The content has one escaping too many when no file of its kind can hold it as
 * given, and one can without the escaping.
 * @param name of the argument that holds it
 */
export function meantContent(path: string, content: string, name: string): MeantContent {
  if (/[\r\n]/.test(content)) return { text: content };
  const text = unescapeOnce(content) ?? withLineBreaks(content);
  if (text === content) return { text: content };
  if (isBroken(path, content) && isWellFormed(path, text)) return { text, note: unescaped(name) };
  if (text.split('\n').length < 3) return { text: content };
  const note = `${name} is a single line with \\n in it, and was written like that. If these were meant as line breaks, write the file again with real ones.`;
  return { text: content, note };
}

export function unescaped(names: string): string {
  return `${names} came escaped once too often (\\n for a line break, \\" for a quote); that escaping was taken off.`;
}
