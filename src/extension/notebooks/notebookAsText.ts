/*
 * Shows a notebook to a model: cells with number and id, complete sources, shortened outputs.
 *
 *     Notebook with 2 cells, format 4.5, python.
 *
 *     [Cell 1, markdown, id 5f0e1c2a]
 *     # Tides
 *     [Cell 2, code, id 9b7d3e4f]
 *     plot(tides)
 *     [Output: text/plain]
 *     <Figure>
 *     [Output: image/png, 12 KB]
 */

import { isRecord } from '../base/record.ts';
import { plainTerminalText } from '../base/terminalText.ts';
import { formatBytes, formatQuantity, headOf, oneLine } from '../base/text.ts';
import { type Cell, joinedText, languageOf, readCell, readFrame, splitNotebook } from './notebook.ts';

const outputLines = 20;
const outputLength = 2000;
/** Outputs of one cell. */
const shownOutputs = 8;

/** Returns `undefined` if the text is no notebook with cells. */
export function notebookAsText(text: string): string | undefined {
  const notebook = splitNotebook(text);
  if (!notebook) return undefined;
  const frame = readFrame(notebook);
  const language = languageOf(frame);
  const format = `${frame.nbformat}.${frame.nbformat_minor}`;
  const about = [formatQuantity(notebook.cells.length, 'cell'), `format ${format}`, language]
    .filter(Boolean)
    .join(', ');
  const cells = notebook.cells.flatMap((cell, index) => showCell(readCell(cell), index + 1, language));
  return [`Notebook with ${about}.`, ...cells].join('\n');
}

/** `Cell 3, python`: identifies a cell for a user. */
export function cellLabel(cell: Cell, number: number, language: string | undefined): string {
  const own = languageOfCell(cell) ?? language;
  return `Cell ${number}, ${cell.kind === 'code' ? (own ?? 'code') : cell.kind}`;
}

/** Returns the lines of a cell that a user or a model reads. */
export function cellLines(cell: Cell): readonly string[] {
  const source = cell.source === '' ? [] : cell.source.replace(/\r?\n$/, '').split(/\r?\n/);
  return [...source, ...attachmentsOf(cell), ...outputsOf(cell)];
}

function showCell(cell: Cell, number: number, language: string | undefined): readonly string[] {
  const own = cell.kind === 'code' ? languageOfCell(cell) : undefined;
  const kind = own && own !== language ? `${cell.kind}, ${own}` : cell.kind;
  const id = cell.id === undefined ? '' : `, id ${oneLine(cell.id, 64)}`;
  return [`[Cell ${number}, ${kind}${id}]`, ...cellLines(cell)];
}

function languageOfCell({ value }: Cell): string | undefined {
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  const { vscode } = metadata;
  return isRecord(vscode) && typeof vscode.languageId === 'string' ? vscode.languageId : undefined;
}

function attachmentsOf({ value }: Cell): readonly string[] {
  if (!isRecord(value.attachments)) return [];
  return Object.entries(value.attachments).map(
    ([name, bundle]) => `[Attachment ${oneLine(name, 100)}: ${describeBundle(bundle).join('; ')}]`,
  );
}

function outputsOf({ value }: Cell): readonly string[] {
  const outputs = Array.isArray(value.outputs) ? value.outputs : [];
  const shown = outputs.slice(0, shownOutputs).flatMap(showOutput);
  const hidden = outputs.length - shownOutputs;
  return hidden > 0 ? [...shown, `[${formatQuantity(hidden, 'more output')}]`] : shown;
}

function showOutput(output: unknown): readonly string[] {
  if (!isRecord(output)) return [];
  const { output_type: type, data } = output;
  if (type === 'error') return [`[Output: error] ${lastLine(output)}`];
  if (type === 'stream') {
    const name = typeof output.name === 'string' ? oneLine(output.name, 20) : 'stream';
    return [`[Output: ${name}]`, ...cutText(joinedText(output.text))];
  }
  const bundle = isRecord(data) ? data : {};
  const plain = joinedText(bundle['text/plain']);
  const others = describeBundle(bundle, 'text/plain');
  return [
    ...(plain === '' ? [] : ['[Output: text/plain]', ...cutText(plain)]),
    ...others.map(each => `[Output: ${each}]`),
  ];
}

function lastLine({ ename, evalue, traceback }: Readonly<Record<string, unknown>>): string {
  const said = [ename, evalue].filter(part => typeof part === 'string' && part !== '').join(': ');
  const trace = Array.isArray(traceback) ? joinedText(traceback.slice(-1)) : '';
  return oneLine(plainTerminalText(said || trace), 500);
}

/** `image/png, 12 KB` for each representation of an output. */
function describeBundle(bundle: unknown, except?: string): readonly string[] {
  if (!isRecord(bundle)) return [];
  return Object.entries(bundle)
    .filter(([type]) => type !== except)
    .map(([type, data]) => `${oneLine(type, 60)}, ${formatBytes(sizeOf(type, data))}`);
}

/** Pictures and sound are in base64: four characters for three bytes. */
function sizeOf(type: string, data: unknown): number {
  const text = typeof data === 'string' || Array.isArray(data) ? joinedText(data) : JSON.stringify(data);
  const isBinary = /^(image|audio|video)\//.test(type) && type !== 'image/svg+xml';
  return isBinary ? Math.floor((text.replace(/\s/g, '').length * 3) / 4) : Buffer.byteLength(text);
}

function cutText(text: string): readonly string[] {
  const lines = plainTerminalText(text)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(0, outputLines)) {
    if (length >= outputLength) break;
    const kept = headOf(line, outputLength - length);
    length += line.length;
    shown.push(kept.length < line.length ? `${kept}…` : kept);
  }
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [...shown, `[${formatQuantity(hidden, 'more line')} of it]`] : shown;
}
