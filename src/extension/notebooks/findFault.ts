import { messageOf } from '../base/errors.ts';
import { isRecord } from '../base/record.ts';

export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Returns why a text is no valid notebook, as the end of a sentence; `undefined` if it is one. */
export function findNotebookFault(text: string): string | undefined {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch (error) {
    return `it is not JSON (${messageOf(error)})`;
  }
  if (!isRecord(notebook)) return 'it is no object';
  const { nbformat, nbformat_minor: minor, metadata, cells, worksheets } = notebook;
  if (!Number.isInteger(nbformat) || !Number.isInteger(minor))
    return '"nbformat" and "nbformat_minor" must be numbers';
  if (!isRecord(metadata)) return '"metadata" must be an object';
  if (Number(nbformat) < 4) return Array.isArray(worksheets) ? undefined : '"worksheets" must be a list';
  if (!Array.isArray(cells)) return '"cells" must be a list';
  return firstOf(cells, (cell, index) => findCellFault(cell, `cells[${index}]`)) ?? findIdFault(cells);
}

function findCellFault(cell: unknown, place: string): string | undefined {
  if (!isRecord(cell)) return `${place} is no object`;
  const { cell_type: type, source, metadata, outputs, execution_count: count } = cell;
  if (type !== 'code' && type !== 'markdown' && type !== 'raw')
    return `${place}.cell_type must be "code", "markdown" or "raw"`;
  if (!isText(source)) return `${place}.source must be a text or a list of texts`;
  if (!isRecord(metadata)) return `${place}.metadata must be an object`;
  if (type !== 'code') return undefined;
  if (count !== null && !Number.isInteger(count)) return `${place}.execution_count must be a number or null`;
  if (!Array.isArray(outputs)) return `${place}.outputs must be a list`;
  return firstOf(outputs, (output, index) =>
    isRecord(output) && outputTypes.has(output.output_type)
      ? undefined
      : `${place}.outputs[${index}].output_type must be one of ${[...outputTypes].join(', ')}`,
  );
}

/** Programs add missing ids themselves, but a duplicate id is ambiguous. */
function findIdFault(cells: readonly unknown[]): string | undefined {
  const seen = new Set<unknown>();
  return firstOf(cells, (cell, index) => {
    const id = isRecord(cell) ? cell.id : undefined;
    if (id === undefined) return undefined;
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
      return `cells[${index}].id must be 1 to 64 letters, digits, "-" or "_"`;
    if (seen.has(id)) return `cells[${index}].id is that of another cell`;
    seen.add(id);
    return undefined;
  });
}

const outputTypes: ReadonlySet<unknown> = new Set(['stream', 'display_data', 'execute_result', 'error']);

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every(line => typeof line === 'string'));
}

function firstOf(
  items: readonly unknown[],
  find: (item: unknown, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
