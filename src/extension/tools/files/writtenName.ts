/**
 * A file's name or path for a list that has one in each line. Names may hold line breaks, escapes of terminals and blanks
 * at their ends: such a one is written as JSON, which is how a model gives it back.
 */
export function writtenName(name: string): string {
  return /^["\s]|[\p{Cc}\u2028\u2029]|\s$/u.test(name) ? JSON.stringify(name) : name;
}
