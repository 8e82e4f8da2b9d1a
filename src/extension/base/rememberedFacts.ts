/* Facts about the user, kept as a list in their own memory file. Both Folio and the user may add to it. */

export const memoryHeading = '## Remembered by Folio';
/** Characters of one fact. */
export const maxFactLength = 1_000;

/**
 * Keeps a fact a single list item, since the file becomes part of every later prompt. Removes line breaks, marks that
 * open headings, fences or comments, and `@path` imports.
 */
export function sanitiseFact(fact: string): string {
  return fact
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^(?:[-*+#>\s]|\d+[.)]\s)+/, '')
    .replace(/`{3,}|~{3,}/g, '')
    .replace(/<(?=[!/a-z])/gi, '‹')
    .replace(/(^|[^\w\\])@(?=[./~\w])/g, '$1\\@')
    .trim();
}

/** Returns the same text if the fact is already under the heading. Other lines keep their bytes. */
export function addFact(text: string, fact: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const item = `- ${fact}`;
  const lines = text.split(/(?<=\n)/);
  const heading = lines.findIndex(line => line.trimEnd() === memoryHeading);
  if (heading < 0) {
    const start = text.trim() === '' ? '' : text.trimEnd() + eol + eol;
    return `${start}${memoryHeading}${eol}${eol}${item}${eol}`;
  }
  const next = lines.findIndex((line, index) => index > heading && /^#{1,2} /.test(line));
  const section = lines.slice(heading, next < 0 ? lines.length : next);
  if (section.some(line => line.trimEnd() === item)) return text;
  const last = heading + section.findLastIndex(line => line.trim() !== '');
  const above = lines.slice(0, last + 1).join('');
  const separator = (above.endsWith('\n') ? '' : eol) + (last === heading ? eol : '');
  return above + separator + item + eol + lines.slice(last + 1).join('');
}
