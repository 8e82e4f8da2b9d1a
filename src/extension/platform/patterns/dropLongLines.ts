/** Characters. No file path is longer. */
const maxPathLength = 4096;

/** Removes lines that can match no path and may not compile to an expression, such as output of a program. */
export function dropLongLines(text: string): string {
  if (text.length <= maxPathLength) return text;
  return text
    .split('\n')
    .filter(line => line.length <= maxPathLength)
    .join('\n');
}
