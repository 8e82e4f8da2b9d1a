import { canonicalJson } from '../base/canonicalJson.ts';
import { isRecord } from '../base/record.ts';

/** The same for cells that say the same, however they are written: a text may stand whole or as a list of lines. */
export function meaningOf(cell: string): string {
  const value: unknown = JSON.parse(cell);
  return canonicalJson(isRecord(value) ? wholeTexts(value) : value);
}

/**
 * The same also for cells that an editor has marked automatically, as VS Code does when their source changes: raw text
 * with its language, code with a count of a run that is no longer this code's.
 */
export function meaningWithoutMarks(cell: string): string {
  const value: unknown = JSON.parse(cell);
  return canonicalJson(isRecord(value) ? wholeTexts(withoutMarks(value)) : value);
}

/** The same for cells that differ in nothing but their source. */
export function meaningWithoutSource(value: Readonly<Record<string, unknown>>): string {
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
