/** A program and its arguments, of a line that a user wrote; quotes hold words together. */
export function wordsOfLine(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map(word => word.replace(/"([^"]*)"|'([^']*)'/g, (_all, one, two) => one ?? two));
}
