/*
 * Translates texts for users. The English text in the source is the key of its translation, as in VS Code. Texts for
 * models are not translated.
 *
 * The language is the only module state. It is set once, before any text is made: by the activation of a window, the
 * first module of a page, or a headless run, which uses English with the names of its own options. Tests set none.
 */

export interface Language {
  /** BCP 47 tag, for `Intl` and the `lang` of the page. */
  readonly tag: string;
  /** Translations by English message. Missing ones stay English. */
  readonly catalog: Readonly<Record<string, string>>;
}

let english: Language = { tag: 'en', catalog: {} };

let spoken = english;

export function setLanguage(language: Language): void {
  spoken = language;
}

/** Replaces English messages of a window, such as those that name its buttons. Models read the replacements, too. */
export function setEnglishCatalog(catalog: Language['catalog']): void {
  english = { tag: 'en', catalog };
  spoken = english;
}

export function languageTag(): string {
  return spoken.tag;
}

/** A lazy message for users and models: in the user's language, or inside `inEnglish` in English. */
export type LocalizedMessage = () => string;

/** Runs `say` with English texts, for models. */
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
 * Translates a message and inserts the values at `{0}`, `{1}` and so on.
 * @param message a literal, since catalogs are extracted from the source
 */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return fill(spoken.catalog[message] ?? message, values);
}

/** Cached by language, since creating them is slow. */
const rules: Record<string, Intl.PluralRules> = {};
const numbers: Record<string, Intl.NumberFormat> = {};

/**
 * Chooses the plural form of a message: `plural(2, 'one: {0} file | other: {0} files')`. A translation has the forms
 * of its language, always including `other`. `{0}` is the count, `{1}` the first of the values.
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

/** Returns `one`, `one and two`, or `one, two and three`. */
export function formatList(items: readonly string[]): string {
  // British English has no serial comma.
  return new Intl.ListFormat(spoken.tag === 'en' ? 'en-GB' : spoken.tag).format(items);
}

/** Returns the plural forms by name; empty for other messages. */
export function formsOf(message: string): ReadonlyMap<string, string> {
  if (!/^(?:zero|one|two|few|many|other): /.test(message)) return new Map();
  const forms = message.split(' | ').map(form => /^(\w+): (.*)$/s.exec(form)!);
  return new Map(forms.map(([, name, text]) => [name!, text!]));
}

function fill(message: string, values: readonly (string | number)[]): string {
  return message.replace(/\{(\d)\}/g, (place, index) => String(values[index] ?? place));
}
