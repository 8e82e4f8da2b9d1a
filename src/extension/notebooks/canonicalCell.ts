import { canonicalJson } from '../base/canonicalJson.ts';
import { isRecord } from '../base/record.ts';

/** Returns equal text for equivalent cells: a text may be a string or a list of lines. */
export function canonicalCell(cell: string): string {
  const value: unknown = JSON.parse(cell);
  return canonicalJson(isRecord(value) ? wholeTexts(value) : value);
}

/**
 * Also ignores marks that editors such as VS Code add when a source changes: the language of raw text, and an outdated
 * execution count.
 */
export function canonicalCellWithoutMarks(cell: string): string {
  const value: unknown = JSON.parse(cell);
  return canonicalJson(isRecord(value) ? wholeTexts(withoutMarks(value)) : value);
}

/** Returns equal text for cells that differ only in their source. */
export function canonicalCellWithoutSource(value: Readonly<Record<string, unknown>>): string {
  return canonicalJson({ ...wholeTexts(value), source: '' });
}

function withoutMarks(cell: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { cell_type: kind, metadata } = cell;
  if (kind === 'code') return { ...cell, execution_count: null };
  if (kind !== 'raw' || !isRecord(metadata) || !isRecord(metadata.vscode)) return cell;
  const { vscode, ...rest } = metadata;
  return canonicalJson(vscode) === '{"languageId":"raw"}' ? { ...cell, metadata: rest } : cell;
}

function wholeTexts(cell: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { source, outputs } = cell;
  return {
    ...cell,
    source: whole(source),
    outputs: Array.isArray(outputs) ? outputs.map(wholeOutput) : outputs,
  };
}

function wholeOutput(output: unknown): unknown {
  if (!isRecord(output)) return output;
  const { text, data } = output;
  if (!isRecord(data)) return { ...output, text: whole(text) };
  const entries = Object.entries(data).map(([type, each]) => [type, whole(each)]);
  return { ...output, data: Object.fromEntries(entries) };
}

function whole(text: unknown): unknown {
  return Array.isArray(text) && text.every(line => typeof line === 'string') ? text.join('') : text;
}
