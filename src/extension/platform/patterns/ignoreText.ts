/** Characters; no path of a file is longer. */
const maxPathLength = 4096;

/**
 * The text of an ignore file without lines that match no path and that no expression could be compiled of, as where a
 * program wrote something else there.
 */
export function ignoreText(text: string): string {
  if (text.length <= maxPathLength) return text;
  return text
    .split('\n')
    .filter(line => line.length <= maxPathLength)
    .join('\n');
}
