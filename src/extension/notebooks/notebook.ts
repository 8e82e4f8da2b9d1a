import { isRecord } from '../base/record.ts';
import { findNotebookFault } from './findFault.ts';
import { splitJson, splitMember } from './jsonParts.ts';

/** The text of a notebook around its cells: `head + cells.join(',') + tail`. */
export interface NotebookParts {
  readonly head: string;
  /** Each with surrounding white space and without comma, so that any list of cells can be joined. */
  readonly cells: readonly string[];
  readonly tail: string;
}

export type CellKind = 'code' | 'markdown' | 'raw';

export interface Cell {
  readonly kind: CellKind;
  readonly source: string;
  /** Since format 4.5. */
  readonly id?: string;
  /** As in the file. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Returns `undefined` for anything but format 4, the only one with cells at the top level. */
export function splitNotebook(text: string): NotebookParts | undefined {
  if (findNotebookFault(text) !== undefined) return undefined;
  const notebook = splitJson(text);
  const at = notebook.items.findLastIndex(item => splitMember(item).key === 'cells');
  if (at < 0) return undefined;
  const { lead, value, trail } = splitMember(notebook.items[at]!);
  const { open, items: cells, close } = splitJson(value);
  const before = notebook.items.slice(0, at).map(item => `${item},`);
  const behind = notebook.items.slice(at + 1).map(item => `,${item}`);
  return {
    head: notebook.open + before.join('') + lead + open,
    cells,
    tail: close + trail + behind.join('') + notebook.close,
  };
}

export function joinNotebook({ head, cells, tail }: NotebookParts): string {
  return head + cells.join(',') + tail;
}

/** @param text of one cell, from `splitNotebook` */
export function readCell(text: string): Cell {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('A cell that is no object was to be read.');
  const { cell_type: kind, source, id } = value;
  return {
    kind: kind === 'code' || kind === 'markdown' ? kind : 'raw',
    source: joinedText(source),
    id: typeof id === 'string' ? id : undefined,
    value,
  };
}

/** Joins a text that may be a string or a list of lines. */
export function joinedText(value: unknown): string {
  if (Array.isArray(value)) return value.filter(line => typeof line === 'string').join('');
  return typeof value === 'string' ? value : '';
}

/** Returns everything but the cells. */
export function readFrame({ head, tail }: NotebookParts): Readonly<Record<string, unknown>> {
  const frame: unknown = JSON.parse(head + tail);
  return isRecord(frame) ? frame : {};
}

/** Returns the default language of code cells, such as `python`. */
export function languageOf(frame: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = isRecord(frame.metadata) ? frame.metadata : {};
  const { language_info: info, kernelspec: kernel } = metadata;
  const names = [isRecord(info) ? info.name : '', isRecord(kernel) ? kernel.language : ''];
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

/** Returns whether cells of this format must have ids; earlier formats must not. */
export function requiresCellIds(frame: Readonly<Record<string, unknown>>): boolean {
  return Number(frame.nbformat) > 4 || Number(frame.nbformat_minor) >= 5;
}
