import { canonicalCell, canonicalCellWithoutSource } from './canonicalCell.ts';
import { joinNotebook, type NotebookParts, readCell } from './notebook.ts';

/** A step that turns one notebook into another. Cell numbers count from 0 in the earlier notebook. */
export type CellEdit =
  | { readonly kind: 'source'; readonly cell: number; readonly source: string }
  /** Replaces `count` cells from `start` by the cells `from` to `to`, exclusive, of the other notebook. */
  | {
      readonly kind: 'cells';
      readonly start: number;
      readonly count: number;
      readonly from: number;
      readonly to: number;
    };

/** In notebook order. A cell whose source alone changed keeps all other state of an editor. */
export function cellEdits(before: NotebookParts, after: NotebookParts): readonly CellEdit[] {
  const [old, now] = [before.cells.map(canonicalCell), after.cells.map(canonicalCell)];
  const shorter = Math.min(old.length, now.length);
  if (old.length === now.length) {
    return old.flatMap((each, cell) => (each === now[cell] ? [] : [editOf(before, after, cell)]));
  }
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [{ kind: 'cells', start: head, count: old.length - head - tail, from: head, to: now.length - tail }];
}

/** Returns whether anything besides the cells differs. */
export function differsOutsideCells(before: NotebookParts, after: NotebookParts): boolean {
  const around = (notebook: NotebookParts) => canonicalCell(joinNotebook({ ...notebook, cells: [] }));
  return around(before) !== around(after);
}

function editOf(before: NotebookParts, after: NotebookParts, cell: number): CellEdit {
  const [old, now] = [readCell(before.cells[cell]!), readCell(after.cells[cell]!)];
  const isSourceAlone = canonicalCellWithoutSource(old.value) === canonicalCellWithoutSource(now.value);
  return isSourceAlone
    ? { kind: 'source', cell, source: now.source }
    : { kind: 'cells', start: cell, count: 1, from: cell, to: cell + 1 };
}
