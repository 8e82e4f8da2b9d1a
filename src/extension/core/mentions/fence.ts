/** Between ticks, more of them than the text itself holds in a row, so that no line of it can end the fence. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`;
}
