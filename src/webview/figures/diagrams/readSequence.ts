import type { Sequence, SequenceRow } from './diagram.ts';
import { failAtLine, plainLabel, type SourceLine } from './sourceLines.ts';

type Message = Extract<SequenceRow, { kind: 'message' }>;

const ignored =
  /^(?:autonumber|activate|deactivate|destroy|links?|properties|details|accTitle|accDescr)(?=\s|$)/i;
const message = /^(.+?)\s*(<<)?(--?)(>>|>|x|\))\s*[+-]?\s*([^\s:+-][^:]*?)\s*(?::\s*(.*))?$/;
const ends: Readonly<Record<string, Message['end']>> = {
  '>>': 'arrow',
  '>': 'none',
  x: 'cross',
  ')': 'open',
};

export function readSequence(lines: readonly SourceLine[], title: string): Sequence {
  const actors = new Map<string, string>();
  const rows: SequenceRow[] = [];
  const open: ('rows' | 'box')[] = [];
  let named = title;
  for (const line of lines.slice(1)) {
    const { text } = line;
    if (ignored.test(text)) continue;
    const own = /^title:?\s+(.+)$/i.exec(text)?.[1];
    const actor = /^(?:create\s+)?(?:participant|actor)\s+(.+?)(?:@\{.*\})?(?:\s+as\s+(.+))?$/i.exec(text);
    if (own !== undefined) named = plainLabel(own);
    else if (actor) actors.set(actor[1]!.trim(), plainLabel(actor[2] ?? actor[1]!));
    else if (/^box\b/i.test(text)) open.push('box');
    else if (/^end$/i.test(text)) {
      if ((open.pop() ?? failAtLine(line)) === 'rows') rows.push({ kind: 'finish' });
    } else {
      const row = readRow(line, actors);
      if (row.kind === 'begin') open.push('rows');
      rows.push(row);
    }
  }
  for (const each of open) if (each === 'rows') rows.push({ kind: 'finish' });
  return { kind: 'sequence', title: named, actors, rows };
}

function readRow(line: SourceLine, actors: Map<string, string>): SequenceRow {
  const { text } = line;
  const [, opening] = /^(loop|alt|opt|par|critical|break|rect)(?=\s|$)/i.exec(text) ?? [];
  if (opening !== undefined) {
    const isColour = opening.toLowerCase() === 'rect';
    return {
      kind: 'begin',
      word: isColour ? '' : opening,
      text: isColour ? '' : plainLabel(text.slice(opening.length)),
    };
  }
  const [, other] = /^(else|and|option)(?=\s|$)/i.exec(text) ?? [];
  if (other !== undefined) return { kind: 'else', word: other, text: plainLabel(text.slice(other.length)) };
  const note = /^note\s+(left of|right of|over)\s+([^:]+?)\s*:\s*(.+)$/i.exec(text);
  if (note) return noteOf(note, actors);
  const [, from = '', both, dashes, arrow = '', to = '', words = ''] = message.exec(text) ?? failAtLine(line);
  return {
    kind: 'message',
    from: known(actors, from),
    to: known(actors, to),
    text: plainLabel(words),
    line: dashes === '--' ? 'dotted' : 'solid',
    end: ends[arrow] ?? 'none',
    start: both ? 'arrow' : 'none',
  };
}

function noteOf(
  [, where = '', whom = '', words = '']: RegExpExecArray,
  actors: Map<string, string>,
): SequenceRow {
  const over = whom.split(',').map(each => known(actors, each.trim()));
  const side = /^left/i.test(where) ? 'left' : /^right/i.test(where) ? 'right' : 'over';
  return { kind: 'note', over, side, text: plainLabel(words) };
}

function known(actors: Map<string, string>, name: string): string {
  if (!actors.has(name)) actors.set(name, plainLabel(name));
  return name;
}
