import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { headOf, oneLine } from '../base/text.ts';
import { defineTool, noChange, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';
import {
  type CellChange,
  type ChangedCell,
  type ChangedCells,
  changeCells,
  type NewSource,
} from '../notebooks/changeCells.ts';
import { findNotebookFault, isNotebookPath } from '../notebooks/findFault.ts';
import {
  joinNotebook,
  type NotebookParts,
  type Cell as ReadCell,
  readCell,
  readFrame,
  requiresCellIds,
  splitNotebook,
} from '../notebooks/notebook.ts';
import type { Clock } from '../platform/clock.ts';
import { findPlaceholder } from './edit/placeholders.ts';
import { type EditPlan, proposeEdit, writeProposal } from './edit/proposedEdit.ts';
import { replaceText } from './edit/replaceText.ts';
import { replaceRanges, toLf } from './edit/textLines.ts';
import { describeMissingFile } from './files/describeMissingFile.ts';
import { type EditableFile, type FilePorts, readEditable } from './files/editableFile.ts';
import type { NotebookPresence } from './files/notebookPresence.ts';
import { shortPath } from './files/shortPath.ts';

const kinds = ['code', 'markdown', 'raw'] as const;

const operation = lazySchema(() =>
  z.object({
    op: z.enum(['edit', 'insert', 'delete', 'move', 'kind']),
    cell: z.int().optional(),
    cell_id: z.string().optional(),
    after: z.int().optional().describe('insert, move; 0: first'),
    after_id: z.string().optional(),
    old_string: z.string().optional().describe('Absent: replace the whole source'),
    new_string: z.string().optional(),
    kind: z.enum(kinds).optional(),
  }),
);

type Operation = z.infer<ReturnType<typeof operation>>;

const input = lazySchema(() => z.object({ file_path: z.string(), operations: z.array(operation()) }));
type Input = z.infer<ReturnType<typeof input>>;

export interface NotebookPorts extends FilePorts {
  /** Makes ids of new cells. */
  readonly clock: Pick<Clock, 'newId'>;
  readonly notebooks: Pick<NotebookPresence, 'isThere'>;
}

export function editNotebookTool(ports: NotebookPorts): Tool<Input, EditPlan> {
  return defineTool({
    name: 'edit_notebook',
    description:
      'Changes cells of a Jupyter notebook, all operations or none. Cells keep the numbers of read_file throughout the call. Better: the ids that it shows.',
    input,
    effect: 'edit',
    isOffered: () => ports.notebooks.isThere,
    title: ({ file_path, operations }) =>
      operations.length === 1
        ? t('Edit {0}: {1}', shortPath(file_path), describeOperation(operations[0]!))
        : plural(operations.length, 'other: Edit {1}: {0} changes', shortPath(file_path)),

    async prepare({ file_path, operations }, call) {
      const file = await readEditable(ports, file_path);
      call.signal.throwIfAborted();
      if (operations.length === 0) throw new ToolFailure('operations is empty.', () => t('No change'));
      if (file.before === null) throw await describeMissingFile(ports, file.path);
      const notebook = splitNotebook(file.before);
      if (!notebook) throw noNotebook(file_path, file.before);
      refuseStale(ports, file, notebook, operations);
      const located = locateCells(ports, file, notebook, operations);
      const newId = requiresCellIds(readFrame(notebook)) ? freshIds(notebook, ports.clock) : undefined;
      const result = changeCells(notebook, located.map(toChange), newId);
      if (!result.ok) throw refused(result, operations.length);
      const after = joinNotebook(result.notebook);
      if (after === file.before) {
        throw new ToolFailure('The notebook reads so already, so there is no change.', noChange);
      }
      return proposeEdit(ports, file, after, { note: describeChanges(result.changed) });
    },

    run: (_input, plan, call) => writeAndReadBack(ports, plan, call),
  });
}

/** Cells that a refusal lists, one per line. */
const maxListed = 200;

/**
 * Numbers refer to the cells that the model read. A cell inserted above since then would shift them, so that the wrong
 * one would change.
 */
function refuseStale(
  { seen }: NotebookPorts,
  { path, before }: EditableFile,
  notebook: NotebookParts,
  operations: readonly Operation[],
): void {
  const numbers = operations
    .flatMap(({ cell, cell_id, after, after_id }) => [cell_id ? 0 : (cell ?? 0), after_id ? 0 : (after ?? 0)])
    .filter(number => number > 0);
  if (!seen || before === null || numbers.length === 0) return;
  const known = seen.textOf(path);
  if (known === before) return;
  if (known === undefined) throw unread();
  const then = splitNotebook(known)?.cells.map(readCell) ?? [];
  const now = notebook.cells.map(readCell);
  const isSame = (number: number) => {
    const [one, other] = [then[number - 1], now[number - 1]];
    return one?.id === other?.id && one?.kind === other?.kind && one?.source === other?.source;
  };
  const stale = numbers.find(number => !isSame(number));
  if (stale === undefined) return;
  seen.note(path, before);
  throw new ToolFailure(
    `The notebook changed since you read it, and cell ${stale} is another now. Nothing was changed. The cells are:\n${listCells(now)}`,
    () => t('Changed since it was read'),
  );
}

/** Reading a file may need another permission than changing it, so the cells are not listed. */
function unread(): ToolFailure {
  return new ToolFailure(
    'You have not read this notebook, so the numbers of its cells are not known. Nothing was changed. Read it first.',
    () => t('Not read yet'),
  );
}

function contradiction(id: string, ofId: number, number: number): ToolFailure {
  return new ToolFailure(
    `The id ${oneLine(id, 64)} is that of cell ${ofId}, and not of cell ${number}. Nothing was changed. Name the cell by its id alone.`,
    () => t('Two cells given'),
  );
}

/** Resolves ids to numbers. An invalid notebook may repeat an id, which then matches no cell. */
function locateCells(
  { seen }: NotebookPorts,
  { path, before }: EditableFile,
  notebook: NotebookParts,
  operations: readonly Operation[],
): readonly Operation[] {
  const cells = notebook.cells.map(readCell);
  const numberOf = (id: string | undefined, number: number | undefined) => {
    if (!id) return number;
    const at = cells.findIndex(cell => cell.id === id);
    const isOne = at >= 0 && at === cells.findLastIndex(cell => cell.id === id);
    if (isOne && number !== undefined && number !== at + 1) throw contradiction(id, at + 1, number);
    if (isOne) return at + 1;
    const why = `${at < 0 ? 'No cell has' : 'Several cells have'} the id ${oneLine(id, 64)}. Nothing was changed.`;
    // Reading a file may need another permission than changing it.
    if (seen?.textOf(path) === undefined)
      throw new ToolFailure(`${why} Read the notebook first.`, () => t('No such cell'));
    seen.note(path, before ?? '');
    throw new ToolFailure(`${why} The cells are:\n${listCells(cells)}`, () => t('No such cell'));
  };
  return operations.map(each => ({
    ...each,
    cell: numberOf(each.cell_id, each.cell),
    after: numberOf(each.after_id, each.after),
  }));
}

function listCells(cells: readonly ReadCell[]): string {
  const lines = cells
    .slice(0, maxListed)
    .map(
      ({ kind, source, id }, at) =>
        `${at + 1} ${kind}${id === undefined ? '' : ` (id ${oneLine(id, 64)})`}: ${oneLine(source, 100)}`,
    );
  const more = cells.length > maxListed ? [`… ${cells.length - maxListed} more`] : [];
  return [...lines, ...more].join('\n');
}

/** An open notebook is written by its editor, which may format it differently. */
async function writeAndReadBack(
  ports: FilePorts,
  plan: EditPlan,
  call: Parameters<typeof writeProposal>[2],
): Promise<ToolResult> {
  const result = await writeProposal(ports, plan, call);
  const { path, after } = call.proposal ?? plan.proposal;
  const { text } = await call.files.readText(path);
  if (text === after || isSameNotebook(text, after)) return result;
  throw new ToolFailure(
    `${await ports.paths.show(path)} was written, but holds other cells than were asked for: another program changed it. Read it again.`,
    () => t('Written with other content'),
  );
}

function isSameNotebook(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => splitNotebook(text)?.cells.map(readCell));
  if (!a || a.length !== b?.length) return false;
  return a.every(({ kind, source }, index) => b[index]!.kind === kind && b[index]!.source === source);
}

function toChange(given: Operation, index: number): CellChange {
  const { op, cell, after, old_string, new_string, kind } = given;
  const needed = <T>(value: T | undefined, name: string): T => {
    if (value !== undefined) return value;
    throw new ToolFailure(() =>
      t('Operation {0} ({1}) needs "{2}". Nothing was changed.', index + 1, op, name),
    );
  };
  switch (op) {
    case 'edit': {
      const wanted = needed(new_string, 'new_string');
      return { op, cell: needed(cell, 'cell'), source: before => newSource(before, old_string, wanted) };
    }
    case 'insert':
      return {
        op,
        after: needed(after, 'after'),
        kind: needed(kind, 'kind'),
        source: toLf(needed(new_string, 'new_string')),
      };
    case 'delete':
      return { op, cell: needed(cell, 'cell') };
    case 'move':
      return { op, cell: needed(cell, 'cell'), after: needed(after, 'after') };
    case 'kind':
      return { op, cell: needed(cell, 'cell'), kind: needed(kind, 'kind') };
  }
}

function newSource(before: string, search: string | undefined, wanted: string): NewSource {
  const placeholder = findPlaceholder(wanted, search ?? before);
  if (placeholder !== undefined)
    return { why: `new_string leaves code out at "${placeholder}". Give the complete text.` };
  if (search === undefined)
    return { text: replaceRanges(before, [{ start: 0, end: toLf(before).length, text: toLf(wanted) }]) };
  if (search === '') return { why: 'old_string is empty. Leave it out to replace the whole source.' };
  const result = replaceText(before, { search, replacement: wanted, places: 1 });
  return result.ok ? { text: result.text } : { why: result.reason };
}

/** Makes unused ids of eight characters, like Jupyter. */
function freshIds(notebook: NotebookParts, clock: Pick<Clock, 'newId'>): () => string {
  const taken = new Set(notebook.cells.map(cell => readCell(cell).id));
  return () => {
    const whole = clock
      .newId()
      .replace(/[^\w-]/g, '')
      .slice(0, 64);
    const id = [headOf(whole, 8), whole].find(each => each !== '' && !taken.has(each));
    if (id === undefined) throw new Error('The clock gave an id for a cell that it had given before.');
    taken.add(id);
    return id;
  };
}

function refused({ at, why }: Extract<ChangedCells, { ok: false }>, count: number): ToolFailure {
  const which = count > 1 ? `Operation ${at} cannot be done, so none was. ` : '';
  return new ToolFailure(which + why, () => t('Nothing changed'));
}

function noNotebook(path: string, text: string): ToolFailure {
  if (!isNotebookPath(path))
    return new ToolFailure(() => t('{0} is not a notebook. Change it with replace.', path));
  const fault = findNotebookFault(text) ?? 'its format is older than 4';
  return new ToolFailure(`${path} has no cells that can be changed: ${fault}. Use replace.`, () =>
    t('No valid notebook'),
  );
}

function describeOperation({ op, cell, cell_id, after, after_id, kind }: Operation): string {
  const number = cell ?? cell_id ?? '?';
  switch (op) {
    case 'edit':
      return t('edit cell {0}', number);
    case 'insert':
      return t('new {0} behind cell {1}', kind ?? 'cell', after ?? after_id ?? 0);
    case 'delete':
      return t('delete cell {0}', number);
    case 'move':
      return t('move cell {0}', number);
    case 'kind':
      return t('kind of cell {0}', number);
  }
}

function describeChanges(changed: readonly ChangedCell[]): string {
  const outputs = (list: readonly ChangedCell[]) => list.map(({ number }) => number).join(', ');
  const kept = changed.filter(({ keepsOutputs }) => keepsOutputs);
  const dropped = changed.filter(({ dropsOutputs }) => dropsOutputs);
  const lines = changed.map(describeCell);
  if (kept.length > 0)
    lines.push(`Outputs of ${nameCells(kept)} ${outputs(kept)} are kept: they come from the source before.`);
  if (dropped.length > 0)
    lines.push(`Outputs of ${nameCells(dropped)} ${outputs(dropped)} went with the kind of the cell.`);
  return lines.join('\n');
}

function nameCells(cells: readonly unknown[]): string {
  return cells.length === 1 ? 'cell' : 'cells';
}

function describeCell({ number, before, kind }: ChangedCell): string {
  if (number === undefined) return `Cell ${before} is deleted.`;
  if (before === undefined) return `Cell ${number} is new (${kind}).`;
  return before === number
    ? `Cell ${number} changed (${kind}).`
    : `Cell ${before} is cell ${number} now (${kind}).`;
}
