import { headOf } from '../../base/text.ts';

/** Lines of a text, limited in number, length and total size. */
export interface LineExcerpt {
  readonly text: string;
  /** From 1. `last` is below `first` if there is no line. */
  readonly first: number;
  readonly last: number;
  /** Number of lines in the whole text. */
  readonly total: number;
  /** Lines of the range that were cut for their length. */
  readonly cutLines: number;
}

const maxLines = 2000;
const maxLineLength = 2000;

interface LinesWanted {
  /** From 1. */
  readonly start?: number | undefined;
  /** Defaults to at most 2000 lines. */
  readonly end?: number | undefined;
  /** Total characters. The first line is always included. */
  readonly maxLength?: number;
}

/** The default size is about a twentieth of a large model's context. */
export function takeLines(
  text: string,
  { start = 1, end, maxLength = 200_000 }: LinesWanted = {},
): LineExcerpt {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const wanted = lines.slice(start - 1, end ?? start - 1 + maxLines);
  const taken: string[] = [];
  let length = 0;
  let cutLines = 0;
  for (const raw of wanted) {
    const whole = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const cut = whole.length > maxLineLength;
    const line = cut ? `${headOf(whole, maxLineLength)}... [line cut]` : whole;
    if (taken.length > 0 && length + line.length > maxLength) break;
    length += line.length + 1;
    taken.push(line);
    if (cut) cutLines += 1;
  }
  return {
    text: taken.join('\n'),
    first: start,
    last: start + taken.length - 1,
    total: lines.length,
    cutLines,
  };
}
