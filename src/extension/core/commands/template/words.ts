/** Splits text into words like a shell: quotes keep blanks, a backslash escapes a quote. */
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

/** Quotes text as one word for `splitWords`. */
export function quoteWord(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
