/** Maximum characters of a line. */
const maxLineLength = 64 * 1024 * 1024;

/** Splits only at line feeds, since other line breaks may occur in texts. Also yields the unterminated rest. */
export async function* readLines(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLineLength) throw new Error('A line of the input is longer than 64 MB.');
  }
  if (rest !== '') yield rest;
}
