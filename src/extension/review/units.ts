/*
 * The units of a review: lines, and in a notebook cells, since a line of its JSON alone may be half of something.
 *
 *     lines   'a\n' 'b\n'                     joined as they are
 *     cells   head, cell, cell, …, tail       the commas between cells belong to none of them and come when joined,
 *                                             so every choice of cells from two texts joins to a whole list
 *
 * A text that is no notebook counts as one unit, which is decided on as a whole. So does a file that is none (`file`, see
 * wholeFile.ts).
 */

import { isNotebookPath } from '../notebooks/findFault.ts';
import { joinNotebook, splitNotebook } from '../notebooks/notebook.ts';
import { splitLines } from './lineEdits.ts';

export type UnitKind = 'lines' | 'cells' | 'file';

export function unitsOf(path: string): UnitKind {
  return isNotebookPath(path) ? 'cells' : 'lines';
}

export function splitUnits(text: string, by: UnitKind): readonly string[] {
  if (by === 'lines') return splitLines(text);
  const notebook = by === 'cells' ? splitNotebook(text) : undefined;
  if (notebook) return [notebook.head, ...notebook.cells, notebook.tail];
  return text === '' ? [] : [text];
}

export function joinUnits(units: readonly string[], by: UnitKind): string {
  if (by !== 'cells' || units.length < 2) return units.join('');
  return joinNotebook({ head: units[0]!, cells: units.slice(1, -1), tail: units.at(-1)! });
}

/** Serializes a list of units, possibly without the notebook's frame, as one text. */
export function writeUnits(units: readonly string[], by: UnitKind): string {
  return by === 'lines' ? units.join('') : JSON.stringify(units);
}

export function readUnits(text: string, by: UnitKind): readonly string[] {
  if (by === 'lines') return splitLines(text);
  const units: unknown = JSON.parse(text);
  return Array.isArray(units) ? units.filter(unit => typeof unit === 'string') : [];
}

/** Returns the length of the joined text without joining it. */
export function joinedLength(units: readonly string[], by: UnitKind): number {
  const commas = by === 'cells' ? Math.max(0, units.length - 3) : 0;
  return units.reduce((sum, unit) => sum + unit.length, commas);
}
