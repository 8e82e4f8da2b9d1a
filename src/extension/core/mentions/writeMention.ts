/**
 * A path as a user would have to write it after `@` so that it is read back as it is: plain where that is
 * enough, else in quotes.
 */
export function writeMention(path: string): string {
  const isPlain = /^[\p{L}\p{N}_./@+~=%&$-]+$/u.test(path) && /[\p{L}\p{N}_/]$/u.test(path);
  return isPlain && canBePath(path) && !isReserved(path) ? `@${path}` : quoteMention(path);
}

/** Signs alone, as in `@+` or `@/`, are none where they are not in quotes. */
export function canBePath(text: string): boolean {
  return /[\p{L}\p{N}_.~]/u.test(text);
}

export function quoteMention(text: string): string {
  return `@"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Words with a meaning of their own after `@`; a file of such a name is written in quotes. */
export function isReserved(path: string): boolean {
  return /^(problems|terminal|diff)$/.test(path);
}
