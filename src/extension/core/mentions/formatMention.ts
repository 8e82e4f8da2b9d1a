/** Writes a path as a mention that parses back unchanged: plain if possible, else in quotes. */
export function formatMention(path: string): string {
  const isPlain = /^[\p{L}\p{N}_./@+~=%&$-]+$/u.test(path) && /[\p{L}\p{N}_/]$/u.test(path);
  return isPlain && canBePath(path) && !isReservedMention(path) ? `@${path}` : quoteMention(path);
}

/** Signs alone, such as `@+` or `@/`, are no mentions without quotes. */
export function canBePath(text: string): boolean {
  return /[\p{L}\p{N}_.~]/u.test(text);
}

export function quoteMention(text: string): string {
  return `@"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Words with a meaning after `@`. Files of such a name must be quoted. */
export function isReservedMention(path: string): boolean {
  return /^(problems|terminal|diff)$/.test(path);
}
