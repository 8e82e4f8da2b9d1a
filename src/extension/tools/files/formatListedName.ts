/**
 * Formats a name or path for a list with one entry per line. Names with line breaks, terminal escapes or outer blanks
 * are written as JSON, which models also use in arguments.
 */
export function formatListedName(name: string): string {
  return /^["\s]|[\p{Cc}\u2028\u2029]|\s$/u.test(name) ? JSON.stringify(name) : name;
}
