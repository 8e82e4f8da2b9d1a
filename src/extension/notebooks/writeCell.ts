/* Writes cells in the formatting of the file: its indentation, line breaks and spaces. */

import { type JsonParts, joinJson, leadingSpace, splitJson, splitMember } from './jsonParts.ts';
import type { CellKind, NotebookParts } from './notebook.ts';

/** White space and escapes of the file's JSON. */
export interface CellFormatting {
  /** Before a cell, before its first member, and before the others. */
  readonly cell: string;
  readonly first: string;
  readonly next: string;
  readonly colon: string;
  /** Before the closing bracket of a cell. */
  readonly end: string;
  /** True if characters beyond ASCII are written as `\u` escapes. */
  readonly ascii: boolean;
}

interface NewCell {
  readonly kind: CellKind;
  readonly source: string;
  readonly id: string | undefined;
}

export function formattingOf({ head, cells, tail }: NotebookParts): CellFormatting {
  const all = [head, ...cells, tail];
  const ascii =
    all.some(text => /\\u[\da-f]{4}/i.test(text)) && !all.some(text => /[\u0080-\uffff]/.test(text));
  const [model] = cells;
  return model === undefined ? { ...mannerOfHead(head), ascii } : { ...mannerOfCell(model), ascii };
}

/** Writes keys alphabetically, like Jupyter and VS Code. */
export function writeCell({ kind, source, id }: NewCell, manner: CellFormatting): string {
  const isCode = kind === 'code';
  const members = [
    ['cell_type', JSON.stringify(kind)],
    ...(isCode ? [['execution_count', 'null']] : []),
    ...(id === undefined ? [] : [['id', JSON.stringify(id)]]),
    ['metadata', '{}'],
    ...(isCode ? [['outputs', '[]']] : []),
    ['source', writeSource(source, '[]', manner)],
  ];
  const items = members.map(
    ([key, value], index) => `${index === 0 ? manner.first : manner.next}"${key}"${manner.colon}${value}`,
  );
  return joinJson({ open: `${manner.cell}{`, items, close: `${manner.end}}` });
}

/** Unchanged lines keep their bytes, and a single string stays one. */
export function setCellSource(cell: string, source: string, manner: CellFormatting): string {
  const pieces = splitJson(cell);
  const own = { ...manner, ...mannerOfCell(cell) };
  return joinJson(withMember(pieces, 'source', value => writeSource(source, value, own)));
}

/** Only code has outputs and an execution count, and only other cells have attachments. */
export function setCellKind(cell: string, kind: CellKind): string {
  const own = mannerOfCell(cell);
  const typed = withMember(splitJson(cell), 'cell_type', () => JSON.stringify(kind));
  if (kind !== 'code') return joinJson(without(typed, ['outputs', 'execution_count']));
  const kept = without(typed, ['attachments', 'outputs', 'execution_count']);
  const counted = addedBehind(kept, 'cell_type', `${own.next}"execution_count"${own.colon}null`);
  return joinJson(addedBehind(counted, 'metadata', `${own.next}"outputs"${own.colon}[]`));
}

/** Returns the text after the cells of a previously empty notebook, with the closing bracket on its own line. */
export function tailBehindCells(tail: string, { cell }: Pick<CellFormatting, 'cell'>): string {
  const space = cell.includes('\n') ? cell.slice(0, cell.length - unitOf(cell).length) : '';
  return tail.startsWith(']') ? space + tail : tail;
}

function writeSource(source: string, before: string, manner: CellFormatting): string {
  if (before.startsWith('"')) return quoted(source, manner.ascii);
  const { open, items, close } = splitJson(before);
  const isBroken = manner.first.includes('\n');
  const unit = isBroken ? indentOf(manner.first).slice(indentOf(manner.end).length) || ' ' : '';
  const first = items[0] === undefined ? manner.first + unit : leadingSpace(items[0]);
  const inner = isBroken ? manner.first + unit : manner.next;
  const next =
    items[1] === undefined ? (items[0] === undefined ? inner : first || inner) : leadingSpace(items[1]);
  const known = new Map(items.map(item => [JSON.parse(item) as string, item.trim()]));
  const lines = source.match(/[^\n]*\n|[^\n]+/g) ?? [];
  if (lines.length === 0) return '[]';
  return joinJson({
    open,
    items: lines.map(
      (line, index) => (index === 0 ? first : next) + (known.get(line) ?? quoted(line, manner.ascii)),
    ),
    close: items.length > 0 ? close : `${isBroken ? manner.first : ''}]`,
  });
}

function quoted(text: string, ascii: boolean): string {
  const written = JSON.stringify(text);
  if (!ascii) return written;
  return written.replace(
    /[\u0080-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function withMember(pieces: JsonParts, key: string, change: (value: string) => string): JsonParts {
  const at = findMember(pieces, key);
  const { lead, value, trail } = splitMember(pieces.items[at]!);
  return { ...pieces, items: pieces.items.with(at, lead + change(value) + trail) };
}

function without(pieces: JsonParts, keys: readonly string[]): JsonParts {
  const left = pieces.items.filter(item => !keys.includes(splitMember(item).key));
  // The first member's white space may differ from that of the others.
  const [before, now] = [pieces.items[0], left[0]];
  if (before === undefined || now === undefined || before === now) return { ...pieces, items: left };
  return { ...pieces, items: left.with(0, leadingSpace(before) + now.trimStart()) };
}

function addedBehind(pieces: JsonParts, key: string, item: string): JsonParts {
  return { ...pieces, items: pieces.items.toSpliced(findMember(pieces, key) + 1, 0, item) };
}

/** The last duplicate key counts, as usual in JSON. */
function findMember({ items }: JsonParts, key: string): number {
  return items.findLastIndex(item => splitMember(item).key === key);
}

function mannerOfCell(cell: string): Omit<CellFormatting, 'ascii'> {
  const { items, close } = splitJson(cell);
  const first = leadingSpace(items[0]!);
  return {
    cell: leadingSpace(cell),
    first,
    next: leadingSpace(items[1]!),
    colon: colonOf(items[0]!),
    end: close.slice(0, close.indexOf('}')),
  };
}

/** Derives the formatting of a notebook without cells from its own members. */
function mannerOfHead(head: string): Omit<CellFormatting, 'ascii'> {
  const { items } = splitJson(`${head}]}`);
  const space = leadingSpace(items[0]!);
  const colon = colonOf(items[0]!);
  if (!space.includes('\n')) {
    const next = leadingSpace(items[1] ?? (colon.endsWith(' ') ? ' ' : ''));
    return { cell: '', first: space, next, colon, end: space };
  }
  const unit = indentOf(space);
  return {
    cell: space + unit,
    first: space + unit + unit,
    next: space + unit + unit,
    colon,
    end: space + unit,
  };
}

function colonOf(item: string): string {
  return /:\s*$/.exec(splitMember(item).lead)?.[0] ?? ':';
}

/** Returns the blanks after the last line break. */
function indentOf(space: string): string {
  return space.slice(space.lastIndexOf('\n') + 1);
}

/** Cells are indented by two levels. */
function unitOf(cell: string): string {
  const indent = indentOf(cell);
  return indent.slice(0, Math.ceil(indent.length / 2));
}
