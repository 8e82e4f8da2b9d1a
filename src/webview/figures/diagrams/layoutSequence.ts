import { lineHeight, type MeasureText, widthOf, wrapText } from '../drawing/text.ts';
import type { Sequence, SequenceRow } from './diagram.ts';

interface PlacedActor {
  readonly x: number;
  readonly width: number;
  readonly lines: readonly string[];
}

type Message = Extract<SequenceRow, { kind: 'message' }>;

export type PlacedRow =
  | {
      readonly kind: 'message';
      readonly row: Message;
      readonly y: number;
      readonly from: number;
      readonly to: number;
      readonly lines: readonly string[];
    }
  | {
      readonly kind: 'note';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly lines: readonly string[];
    }
  | {
      readonly kind: 'frame';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly word: string;
      readonly text: string;
    }
  | {
      readonly kind: 'else';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly text: string;
    };

export interface PlacedSequence {
  readonly width: number;
  readonly height: number;
  readonly head: number;
  readonly actors: readonly PlacedActor[];
  readonly rows: readonly PlacedRow[];
}

const margin = 12;
const textWidth = 200;
const loop = 36;

export function layoutSequence({ actors, rows }: Sequence, measure: MeasureText): PlacedSequence {
  const ids = [...actors.keys()];
  const columns = placeActors(actors, rows, measure);
  const head = Math.max(...columns.map(({ lines }) => lines.length)) * lineHeight + 16;
  const middle = (id: string) => columns[ids.indexOf(id)]!.x;
  const own = rows.map(row =>
    row.kind === 'message' && row.from === row.to
      ? middle(row.from) + Math.max(loop, widthOf(wrapText(row.text, textWidth, measure), measure) + 8)
      : 0,
  );
  const right = Math.max(...columns.map(({ x, width }) => x + width / 2), ...own);
  const placed: PlacedRow[] = [];
  const frames: { readonly y: number; readonly word: string; readonly text: string }[] = [];
  let y = head + margin;
  let width = right + margin;
  for (const row of rows) {
    switch (row.kind) {
      case 'message': {
        const lines = row.text ? wrapText(row.text, textWidth, measure) : [];
        y += lines.length * lineHeight + 12;
        placed.push({ kind: 'message', row, y, from: middle(row.from), to: middle(row.to), lines });
        y += row.from === row.to ? 20 : 6;
        break;
      }
      case 'note': {
        const lines = wrapText(row.text, textWidth, measure);
        const box = placeNote(row, middle, widthOf(lines, measure) + 16);
        const height = lines.length * lineHeight + 8;
        placed.push({ kind: 'note', ...box, y: y + 6, height, lines });
        width = Math.max(width, box.x + box.width + margin);
        y += height + 12;
        break;
      }
      case 'begin':
        frames.push({ y: y + 6, word: row.word, text: row.text });
        y += row.word ? 26 : 8;
        break;
      case 'else':
        placed.push({ kind: 'else', ...insetOf(frames.length, right), y: y + 8, text: row.text });
        y += 26;
        break;
      case 'finish': {
        const frame = frames.pop();
        if (!frame) break;
        const inset = insetOf(frames.length + 1, right);
        placed.push({
          kind: 'frame',
          ...inset,
          y: frame.y,
          height: y + 8 - frame.y,
          word: frame.word,
          text: frame.text,
        });
        y += 14;
        break;
      }
    }
  }
  return { width, height: y + margin, head, actors: columns, rows: placed };
}

function insetOf(depth: number, right: number) {
  const inset = Math.min(depth, 8) * 3;
  return { x: inset, width: right + margin - inset * 2 };
}

/** Places actors so that the messages between adjacent ones fit. */
function placeActors(
  actors: Sequence['actors'],
  rows: readonly SequenceRow[],
  measure: MeasureText,
): readonly PlacedActor[] {
  const ids = [...actors.keys()];
  const boxes = [...actors.values()].map(name => {
    const lines = wrapText(name, 140, measure);
    return { lines, width: Math.max(widthOf(lines, measure) + 20, 56) };
  });
  const gaps = boxes.map(({ width }, at) => (at === 0 ? 0 : (width + boxes[at - 1]!.width) / 2 + 16));
  for (const row of rows) {
    if (row.kind !== 'message') continue;
    const [low, high] = [ids.indexOf(row.from), ids.indexOf(row.to)].toSorted((a, b) => a - b);
    const needed = widthOf(wrapText(row.text, textWidth, measure), measure) + 24;
    const first = low! + 1;
    if (low === high && first < gaps.length) gaps[first] = Math.max(gaps[first]!, needed + loop);
    if (low === high) continue;
    const there = gaps.slice(first, high! + 1).reduce((sum, gap) => sum + gap, 0);
    if (there < needed) gaps[high!] = gaps[high!]! + needed - there;
  }
  let x = margin + (boxes[0]?.width ?? 0) / 2 + notesLeft(ids[0], rows, measure);
  return boxes.map((box, at) => {
    x += gaps[at]!;
    return { ...box, x };
  });
}

/** Returns the space for notes left of the first actor. */
function notesLeft(first: string | undefined, rows: readonly SequenceRow[], measure: MeasureText): number {
  const widths = rows.map(row =>
    row.kind === 'note' && row.side === 'left' && row.over[0] === first
      ? widthOf(wrapText(row.text, textWidth, measure), measure) + 24
      : 0,
  );
  return Math.max(0, ...widths);
}

function placeNote(
  { over, side }: Extract<SequenceRow, { kind: 'note' }>,
  middle: (id: string) => number,
  width: number,
) {
  const places = over.map(middle);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  if (side === 'left') return { x: low - 8 - width, width };
  if (side === 'right') return { x: high + 8, width };
  const wide = Math.max(width, high - low + 24);
  return { x: Math.max(4, (low + high - wide) / 2), width: wide };
}
