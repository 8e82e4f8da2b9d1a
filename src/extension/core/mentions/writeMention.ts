/**
 * A path as a person would have to write it after `@` so that it is read back as it is: plain where that is
 * enough, else in quotes.
 */
export function writeMention(path: string): string {
  return /^[\p{L}\p{N}_./@+~=%&$-]+$/u.test(path) && /[\p{L}\p{N}_/]$/u.test(path) && !isReserved(path)
    ? `@${path}`
    : quoteMention(path);
}

export function quoteMention(text: string): string {
  return `@"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Words with a meaning of their own after `@`; a file of such a name is written in quotes. */
export function isReserved(path: string): boolean {
  return /^(problems|terminal|diff)$/.test(path);
}
