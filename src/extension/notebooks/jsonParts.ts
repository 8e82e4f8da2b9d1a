/*
 * JSON split at the commas of one list or object, so that parts can be replaced while the others keep their bytes:
 *
 *     open  {            items, joined by commas                close  }
 *     '{'               '\n "a": 1'  '\n "b": [2]'              '\n}'
 *
 * All texts must be valid JSON, since callers parse the file first.
 */

export interface JsonParts {
  /** Up to the opening bracket. */
  readonly open: string;
  /** With preceding white space, and with following one before a comma. */
  readonly items: readonly string[];
  /** From the white space after the last item. */
  readonly close: string;
}

/** One item of an object: `lead + value + trail`. */
interface Member {
  readonly key: string;
  /** White space, key, colon. */
  readonly lead: string;
  readonly value: string;
  readonly trail: string;
}

export function splitJson(text: string): JsonParts {
  const start = text.search(/[[{]/) + 1;
  const items: string[] = [];
  let from = start;
  let depth = 0;
  const marks = /["[\]{},]/g;
  marks.lastIndex = start;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found;
    if (mark === '"') marks.lastIndex = endOfString(text, found.index) + 1;
    else if (mark === '[' || mark === '{') depth++;
    else if (mark === ',') {
      if (depth > 0) continue;
      items.push(text.slice(from, found.index));
      from = found.index + 1;
    } else if (depth-- === 0) {
      const last = text.slice(from, found.index).trimEnd();
      if (last !== '') items.push(last);
      return { open: text.slice(0, start), items, close: text.slice(from + last.length) };
    }
  }
  throw new Error('A list or object of JSON without an end was to be cut.');
}

export function joinJson({ open, items, close }: JsonParts): string {
  return open + items.join(',') + close;
}

export function splitMember(item: string): Member {
  const keyStart = item.indexOf('"');
  const keyEnd = endOfString(item, keyStart) + 1;
  const colon = item.indexOf(':', keyEnd) + 1;
  const start = colon + leadingSpace(item.slice(colon, colon + maxSpaceLength)).length;
  const value = item.slice(start).trimEnd();
  return {
    key: JSON.parse(item.slice(keyStart, keyEnd)) as string,
    lead: item.slice(0, start),
    value,
    trail: item.slice(start + value.length),
  };
}

/** Returns the white space at the start of an item. */
export function leadingSpace(piece: string): string {
  return piece.slice(0, piece.search(/\S|$/));
}

/** No program writes more white space after a colon. Longer one counts as part of the value. */
const maxSpaceLength = 1000;

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
