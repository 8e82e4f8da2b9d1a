/** The shell line of a prompt that begins with `!`; `undefined`: the prompt is none. */
export function ownCommandOf(text: string): string | undefined {
  return /^\s*!\s*(\S[\s\S]*)$/.exec(text)?.[1]?.trimEnd();
}
