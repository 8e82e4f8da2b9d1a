/* Jupyter notebooks are JSON of a fixed form: an edit of their text must leave them one that opens. */

import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { ToolFailure } from '../../core/tool.ts';

/** Throws when the change would turn a notebook into none. One that is broken already may be mended in steps. */
export function refuseBrokenNotebook(path: string, before: string | null, after: string): void {
  if (!path.toLowerCase().endsWith('.ipynb') || before === null) return;
  const fault = findFault(after);
  if (fault === undefined || findFault(before) !== undefined) return;
  throw new ToolFailure(
    `Nothing was written, since the result would be no valid notebook: ${fault}. Send the change so that the JSON of the notebook stays whole.`,
    'No valid notebook',
  );
}

/** The end of a sentence; undefined: it is a notebook. */
function findFault(text: string): string | undefined {
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
  return firstOf(cells, (cell, index) => findCellFault(cell, `cells[${index}]`));
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
