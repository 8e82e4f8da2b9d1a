/** Splits typed text into words as a shell does: quotes keep blanks, a backslash keeps a quote. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(
    /(?:"(?:\\["\\]|[^"\\]|\\(?!["\\]))*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gsu,
  )) {
    words.push(
      whole.replace(
        /"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|'([^']*)'|\\(["'\\\s])/gsu,
        (all, double?: string, single?: string, escaped?: string) =>
          double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? all,
      ),
    );
  }
  return words;
}

/** The text as one word, which `splitWords` gives back as it is. */
export function quoteWord(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
