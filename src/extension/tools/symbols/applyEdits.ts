import type { CodeEdit } from '../../platform/languages.ts';

/** Returns the edited text; `undefined` if the edits do not fit. Preserves line endings. */
export function applyEdits(text: string, edits: readonly CodeEdit[]): string | undefined {
  const lines = lineStarts(text);
  const offset = ({ line, column }: CodeEdit['from']) => {
    const start = lines[line - 1];
    return start === undefined ? Number.NaN : start + column - 1;
  };
  const spans = edits
    .map(edit => ({ from: offset(edit.from), to: offset(edit.to), text: edit.text }))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  let after = '';
  let at = 0;
  for (const span of spans) {
    if (!(at <= span.from && span.from <= span.to && span.to <= text.length)) return undefined;
    after += text.slice(at, span.from) + span.text;
    at = span.to;
  }
  return after + text.slice(at);
}

function lineStarts(text: string): readonly number[] {
  const ends = [...text.matchAll(/\r\n|\r|\n/g)];
  return [0, ...ends.map(({ index, 0: end }) => index + end.length)];
}
