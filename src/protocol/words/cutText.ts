/** Returns at most `limit` UTF-16 units from the start, without splitting a surrogate pair. */
export function headOf(text: string, limit: number): string {
  const end = Math.max(0, limit);
  return text.slice(0, isInsidePair(text, end) ? end - 1 : end);
}

/** Returns at most `limit` UTF-16 units from the end, without splitting a surrogate pair. */
export function tailOf(text: string, limit: number): string {
  const start = text.length - Math.max(0, limit);
  if (start <= 0) return text;
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

/** Cuts a text at its end, with an ellipsis. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${headOf(text, limit - 1).trimEnd()}…` : text;
}

/** Returns true inside a surrogate pair. Services refuse half of one, and no encoding can represent it. */
function isInsidePair(text: string, at: number): boolean {
  return text.codePointAt(at - 1)! > 0xffff;
}
