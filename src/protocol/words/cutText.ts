/** At most `limit` UTF-16 units from the start. A character outside the BMP is kept or left out whole. */
export function headOf(text: string, limit: number): string {
  const end = Math.max(0, limit);
  return text.slice(0, isInsidePair(text, end) ? end - 1 : end);
}

/** At most `limit` UTF-16 units from the end. A character outside the BMP is kept or left out whole. */
export function tailOf(text: string, limit: number): string {
  const start = text.length - Math.max(0, limit);
  if (start <= 0) return text;
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

/** With an ellipsis where something is missing. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${headOf(text, limit - 1).trimEnd()}…` : text;
}

/** Between the halves of a surrogate pair. Half of one is no text: services refuse it, and no encoding can keep it. */
function isInsidePair(text: string, at: number): boolean {
  return text.codePointAt(at - 1)! > 0xffff;
}
