/*
 * Sentences for people in the user's language. English stands in the source and is the key of its translation, as
 * VS Code has it. What a model reads never goes through here.
 *
 * The language is the one piece of state that a module keeps. It is set once, before anything is said: by the
 * activation of a window, by the first module of a page, and by a headless run, which speaks English with the names of
 * its own options. Tests set none.
 */

export interface Language {
  /** As `Intl` and the page's `lang` take it. */
  readonly tag: string;
  /** Translations by their English message. What is missing stays English. */
  readonly catalog: Readonly<Record<string, string>>;
}

let english: Language = { tag: 'en', catalog: {} };

let spoken = english;

export function setLanguage(language: Language): void {
  spoken = language;
}

/** English that names other ways than a window has, by the English of the window. Models read it, too. */
export function setEnglish(catalog: Language['catalog']): void {
  english = { tag: 'en', catalog };
  spoken = english;
}

export function languageTag(): string {
  return spoken.tag;
}

/** A sentence that people and models read: it is said where it is read, to a model by `inEnglish`. */
export type Saying = () => string;

/** For a model, from words that people read, too. */
export function inEnglish<T>(say: () => T): T {
  const before = spoken;
  spoken = english;
  try {
    return say();
  } finally {
    spoken = before;
  }
}

/**
 * The message with the values in the places of `{0}`, `{1}` and so on.
 * @param message a literal: catalogs are written from the source
 */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return fill(spoken.catalog[message] ?? message, values);
}

/** By language: making them takes far longer than asking them. */
const rules: Record<string, Intl.PluralRules> = {};
const numbers: Record<string, Intl.NumberFormat> = {};

/**
 * The form of a message that suits a count: `plural(2, 'one: {0} file | other: {0} files')`. A translation names the
 * forms that its language has, `other` always. `{0}` is the count, `{1}` the first of the values.
 */
export function plural(count: number, message: string, ...values: readonly (string | number)[]): string {
  const translation = spoken.catalog[message];
  const tag = translation === undefined ? 'en' : spoken.tag;
  rules[tag] ??= new Intl.PluralRules(tag);
  const wanted = rules[tag].select(count);
  const forms = formsOf(translation ?? message);
  numbers[spoken.tag] ??= new Intl.NumberFormat(spoken.tag);
  const shown = numbers[spoken.tag]!.format(count);
  return fill(forms.get(wanted) ?? forms.get('other')!, [shown, ...values]);
}

/** `one`, `one and two`, `one, two and three`. */
export function formatList(items: readonly string[]): string {
  // British English has no comma before the last.
  return new Intl.ListFormat(spoken.tag === 'en' ? 'en-GB' : spoken.tag).format(items);
}

/** The forms of a plural by their names; empty for any other message. */
export function formsOf(message: string): ReadonlyMap<string, string> {
  if (!/^(?:zero|one|two|few|many|other): /.test(message)) return new Map();
  const forms = message.split(' | ').map(form => /^(\w+): (.*)$/s.exec(form)!);
  return new Map(forms.map(([, name, text]) => [name!, text!]));
}

function fill(message: string, values: readonly (string | number)[]): string {
  return message.replace(/\{(\d)\}/g, (place, index) => String(values[index] ?? place));
}
