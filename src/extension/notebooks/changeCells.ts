import type { CellKind, NotebookParts } from './notebook.ts';
import { readCell } from './notebook.ts';
import {
  type CellFormatting,
  formattingOf,
  setCellKind,
  setCellSource,
  tailBehindCells,
  writeCell,
} from './writeCell.ts';

/** One of a list of changes. Numbers count from 1 in the notebook before all changes. */
export type CellChange =
  | { readonly op: 'edit'; readonly cell: number; readonly source: (before: string) => NewSource }
  | { readonly op: 'insert'; readonly after: number; readonly kind: CellKind; readonly source: string }
  | { readonly op: 'delete'; readonly cell: number }
  | { readonly op: 'move'; readonly cell: number; readonly after: number }
  | { readonly op: 'kind'; readonly cell: number; readonly kind: CellKind };

/** `why`: a sentence on why there is no new source. */
export type NewSource = { readonly text: string } | { readonly why: string };

export interface ChangedCell {
  /** Present number, from 1; `undefined` if deleted. */
  readonly number: number | undefined;
  /** Previous number; `undefined` if new. */
  readonly before: number | undefined;
  readonly kind: CellKind;
  /** True if the shown outputs are from an earlier source. */
  readonly keepsOutputs: boolean;
  readonly dropsOutputs: boolean;
}

export type ChangedCells =
  | { readonly ok: true; readonly notebook: NotebookParts; readonly changed: readonly ChangedCell[] }
  /** `at`: number of the change, from 1. `why`: a sentence. */
  | { readonly ok: false; readonly at: number; readonly why: string };

/** A cell during the changes. Deleted ones keep their place, so that others can be inserted after it. */
interface Entry {
  readonly before: number | undefined;
  text: string;
  /** The cell after which this list of changes inserted it. */
  behind: number | undefined;
  isDeleted: boolean;
  isChanged: boolean;
  sourceChanged: boolean;
  dropsOutputs: boolean;
}

class Refusal extends Error {}

/** Applies all changes in order, or none. @param newId of a new cell; `undefined` if cells have no ids */
export function changeCells(
  notebook: NotebookParts,
  changes: readonly CellChange[],
  newId: (() => string) | undefined,
): ChangedCells {
  const manner = formattingOf(notebook);
  const entries = notebook.cells.map((text, index) => entryOf(text, index + 1));
  for (const [index, change] of changes.entries()) {
    try {
      applyChange(entries, change, manner, newId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ok: false, at: index + 1, why: error.message };
    }
  }
  const left = entries.filter(entry => !entry.isDeleted);
  const wasEmpty = notebook.cells.length === 0 && left.length > 0;
  const tail = wasEmpty ? tailBehindCells(notebook.tail, manner) : notebook.tail;
  const changed = entries.filter(entry => entry.isChanged);
  return {
    ok: true,
    notebook: { ...notebook, cells: left.map(({ text }) => text), tail },
    changed: changed.map(entry => describe(entry, left)),
  };
}

function applyChange(
  entries: Entry[],
  change: CellChange,
  manner: CellFormatting,
  newId: (() => string) | undefined,
): void {
  if (change.op === 'insert') {
    const { kind, source, after } = change;
    const at = placeBehind(entries, after);
    const text = writeCell({ kind, source, id: newId?.() }, manner);
    entries.splice(at, 0, { ...entryOf(text, undefined), behind: after, isChanged: true });
    return;
  }
  const entry = findEntry(entries, change.cell);
  entry.isChanged = true;
  if (change.op === 'delete') entry.isDeleted = true;
  else if (change.op === 'edit') {
    const before = readCell(entry.text).source;
    const source = change.source(before);
    if ('why' in source) throw new Refusal(`Cell ${change.cell}: ${source.why}`);
    if (source.text === before) return;
    entry.text = setCellSource(entry.text, source.text, manner);
    entry.sourceChanged = true;
  } else if (change.op === 'kind') {
    const { kind } = readCell(entry.text);
    if (kind === change.kind) throw new Refusal(`Cell ${change.cell} is of kind ${kind} already.`);
    entry.dropsOutputs ||= hasOutputs(entry.text);
    entry.text = setCellKind(entry.text, change.kind);
  } else moveEntry(entries, entry, change.after);
}

function moveEntry(entries: Entry[], entry: Entry, after: number): void {
  if (after === entry.before) throw new Refusal(`Cell ${after} cannot stand behind itself.`);
  // Find the target first, so that nothing moves if it does not exist.
  placeBehind(entries, after);
  entries.splice(entries.indexOf(entry), 1);
  entries.splice(placeBehind(entries, after), 0, entry);
  entry.behind = after;
}

function findEntry(entries: readonly Entry[], number: number): Entry {
  const entry = entries.find(({ before }) => before === number);
  if (!entry) {
    const count = entries.filter(({ before }) => before !== undefined).length;
    throw new Refusal(`There is no cell ${number}: the notebook has ${count}, counted from 1.`);
  }
  if (entry.isDeleted) throw new Refusal(`Cell ${number} is deleted by an earlier operation of the call.`);
  return entry;
}

/** Cells inserted after the same cell keep the order of their changes. */
function placeBehind(entries: readonly Entry[], number: number): number {
  const at = number === 0 ? -1 : entries.findIndex(({ before }) => before === number);
  if (number !== 0 && at < 0) findEntry(entries, number);
  let place = at + 1;
  while (entries[place]?.behind === number) place++;
  return place;
}

function entryOf(text: string, before: number | undefined): Entry {
  return {
    before,
    text,
    behind: undefined,
    isDeleted: false,
    isChanged: false,
    sourceChanged: false,
    dropsOutputs: false,
  };
}

function describe(entry: Entry, left: readonly Entry[]): ChangedCell {
  const { before, text, isDeleted, sourceChanged, dropsOutputs } = entry;
  return {
    number: isDeleted ? undefined : left.indexOf(entry) + 1,
    before,
    kind: readCell(text).kind,
    keepsOutputs: !isDeleted && sourceChanged && hasOutputs(text),
    dropsOutputs: !isDeleted && dropsOutputs,
  };
}

function hasOutputs(text: string): boolean {
  const { outputs } = readCell(text).value;
  return Array.isArray(outputs) && outputs.length > 0;
}
