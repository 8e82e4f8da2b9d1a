/* Finds code in Markdown: fenced blocks and code spans. Ambiguous text counts as code. */

interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Returned in order, without overlaps. */
export function codeRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let proseStart = 0;
  let open: { readonly start: number; readonly mark: string } | undefined;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const end = offset + line.length;
    if (open) {
      if (closes(line, open.mark)) {
        ranges.push({ start: open.start, end });
        open = undefined;
        proseStart = end;
      }
    } else {
      const mark = fence.exec(line)?.[1];
      if (mark !== undefined) {
        ranges.push(...codeSpans(text.slice(proseStart, offset), proseStart));
        open = { start: offset, mark };
      }
    }
    offset = end;
  }
  // An unclosed fence reaches to the end.
  if (open) return [...ranges, { start: open.start, end: text.length }];
  return [...ranges, ...codeSpans(text.slice(proseStart), proseStart)];
}

/** Also matches in quotes and lists. Backticks later in the line would make it a code span. */
const fence = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/;

function closes(line: string, mark: string): boolean {
  const run = /^[ \t>]*(`+|~+)\s*$/.exec(line)?.[1];
  return run !== undefined && run[0] === mark[0] && run.length >= mark.length;
}

/** A span reaches from one run of backticks to the next of equal length in the same paragraph. */
function codeSpans(prose: string, base: number): readonly TextRange[] {
  const spans: TextRange[] = [];
  let offset = base;
  for (const paragraph of prose.split(/(?<=\n[ \t]*\r?\n)/)) {
    const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: mark, index }) => ({ index, size: mark.length }));
    for (let i = 0; i < runs.length; i++) {
      const { index: start, size } = runs[i]!;
      let close = i + 1;
      while (close < runs.length && runs[close]!.size !== size) close++;
      const closing = runs[close];
      if (!closing) continue;
      spans.push({ start: offset + start, end: offset + closing.index + size });
      i = close;
    }
    offset += paragraph.length;
  }
  return spans;
}
