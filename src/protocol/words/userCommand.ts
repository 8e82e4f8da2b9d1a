/** Returns the shell command of a prompt that begins with `!`; `undefined` for other prompts. */
export function userCommandOf(text: string): string | undefined {
  return /^\s*!\s*(\S[\s\S]*)$/.exec(text)?.[1]?.trimEnd();
}
