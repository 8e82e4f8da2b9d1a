import type { CodeEdit } from '../platform/languages.ts';
import type { Range, TextEdit } from './answers.ts';

/**
 * Returns the edits in text order; `undefined` if they do not fit the text. A column beyond its line means the end of
 * the line, as in the protocol. An end beyond the last line means the end of the text, which servers use to replace a
 * whole file. A start beyond the last line belongs to another text.
 */
export function fitCodeEdits(edits: readonly TextEdit[], text: string): readonly CodeEdit[] | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const fitted: CodeEdit[] = [];
  const ordered = edits.toSorted((a, b) => compare(a.range.start, b.range.start));
  let reached: Position = { line: 0, character: 0 };
  for (const { range, newText } of ordered) {
    const start = clamp(range.start, lines);
    if (!start) return undefined;
    const end = clamp(range.end, lines) ?? endOf(lines);
    if (compare(reached, start) > 0 || compare(start, end) > 0) return undefined;
    reached = end;
    fitted.push({ from: toPoint(start), to: toPoint(end), text: newText });
  }
  return fitted;
}

type Position = Range['start'];

function clamp({ line, character }: Position, lines: readonly string[]): Position | undefined {
  const text = lines[line];
  return text === undefined ? undefined : { line, character: Math.min(character, text.length) };
}

function endOf(lines: readonly string[]): Position {
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

function toPoint({ line, character }: Position) {
  return { line: line + 1, column: character + 1 };
}
