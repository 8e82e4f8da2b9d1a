/** Characters of a line, beyond which it is no line that anybody means. */
const maxLineLength = 64 * 1024 * 1024;

/** Lines end with a line feed alone: others may stand in a text. The rest without an end is a line, too. */
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
