/* Text that Folio adds to the result of a successful call. */

import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { cutMiddle, formatQuantity, oneLine } from '../../base/text.ts';
import type { Diagnostic } from '../../platform/diagnostics.ts';
import type { CommandChanges } from '../changes/runningChanges.ts';
import type { ToolResult } from '../tool.ts';
import { saveOutput } from './call.ts';
import type { CallServices, OpenCall } from './calling.ts';

/** Problems of the written file before the call; `undefined`: unknown, so none counts as new. */
type KnownProblems = readonly Diagnostic[] | undefined;

/** Returns the tool's text, limited in length, with new problems after an edit and instruction files of folders. */
export async function resultText(
  result: ToolResult,
  call: OpenCall,
  problemsBefore: KnownProblems,
  calling: CallServices,
): Promise<string> {
  const said = result.text.trim() === '' ? 'The call succeeded without any output.' : result.text;
  let text = result.bounded ? said : await withinLimit(said, call, calling);
  if (result.wrote) text += await newProblems(result.wrote, call, problemsBefore, calling);
  const folders = result.wrote ? [dirname(result.wrote)] : result.folders;
  const { memory } = calling.caller;
  return folders && memory ? text + (await memory.reportOf(folders)) : text;
}

/** Adds changed files to the card; the model has the command's output. */
export function withChanges(result: ToolResult, changes: CommandChanges | undefined): ToolResult {
  if (!changes) return result;
  const { touched, uncovered } = changes;
  const display = { ...result.display, touched: touched.length > 0 ? touched : undefined, uncovered };
  return { ...result, display };
}

async function withinLimit(text: string, { part }: OpenCall, calling: CallServices): Promise<string> {
  const { limit } = calling.outputs;
  if (text.length <= limit) return text;
  const path = await saveOutput(part, text, calling);
  const rest = path
    ? `The whole output is in ${path}: read parts of it with read_file.`
    : 'It could not be kept in a file.';
  return `${cutMiddle(text, limit)}\n\nThe middle is left out. ${rest}`;
}

/** Problems reported at most; others mostly follow from these. */
const maxProblems = 20;

async function newProblems(
  path: string,
  { signal }: OpenCall,
  problemsBefore: KnownProblems,
  { diagnostics, log }: CallServices,
): Promise<string> {
  if (!problemsBefore) return '';
  const after = await diagnostics.settle(path, signal).catch((error: unknown) => {
    // The edit is done, so a stop while waiting must not cancel the call.
    if (!signal.aborted) log.warn(`Problems of ${path} are unknown: ${messageOf(error)}`);
    return undefined;
  });
  const fresh = problemsOnlyIn(after ?? [], problemsBefore);
  if (fresh.length === 0) return '';
  const lines = fresh
    .slice(0, maxProblems)
    .map(
      ({ path: other, severity, line, message }) =>
        `${placeOf(other, line)}${severity}: ${oneLine(message, 300)}`,
    );
  const rest = fresh.length > lines.length ? `\n… and ${fresh.length - lines.length} more` : '';
  return `\n\nThe edit brought ${formatQuantity(fresh.length, 'new problem')}:\n${lines.join('\n')}${rest}`;
}

/** Equal problems count as old as often as they occurred before. */
function problemsOnlyIn(after: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const placed = (problem: Diagnostic) => `${problem.line}\n${identityOf(problem)}`;
  return without(without(after, before, placed), without(before, after, placed), identityOf);
}

function without<T>(items: readonly T[], others: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1);
  return items.filter(item => {
    const count = left.get(keyOf(item)) ?? 0;
    left.set(keyOf(item), count - 1);
    return count <= 0;
  });
}

/** Ignores the line, which any edit above changes. */
function identityOf({ path = '', severity, message }: Diagnostic): string {
  return `${path}\n${severity}${message}`;
}

function placeOf(other: string | undefined, line: number | undefined): string {
  if (line === undefined) return other === undefined ? '' : `${other}: `;
  return other === undefined ? `line ${line}: ` : `${other}, line ${line}: `;
}
