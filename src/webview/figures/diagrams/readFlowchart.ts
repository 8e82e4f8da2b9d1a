import { t } from '../../../protocol/language.ts';
import { FigureError } from '../drawing/drawing.ts';
import {
  addNode,
  beginGraph,
  type EdgeEnd,
  finishGraph,
  type Graph,
  type GraphBuilder,
  maxEdges,
  parseDirection,
  type Shape,
} from './diagram.ts';
import { failAtLine, plainLabel, type SourceLine } from './sourceLines.ts';

/** Ignored lines: styles, which fit one theme only, and click handlers. */
const ignored = /^(?:classDef|class|style|linkStyle|click|accTitle|accDescr)(?=[\s:])/;

const shapes: readonly (readonly [opening: string, closing: readonly string[], shape: Shape])[] = [
  ['(((', [')))'], 'circle'],
  ['((', ['))'], 'circle'],
  ['([', ['])'], 'pill'],
  ['[[', [']]'], 'box'],
  ['[(', [')]'], 'round'],
  ['[/', ['/]', '\\]'], 'slanted'],
  ['[\\', ['\\]', '/]'], 'slanted'],
  ['{{', ['}}'], 'hexagon'],
  ['{', ['}'], 'diamond'],
  ['(', [')'], 'round'],
  ['[', [']'], 'box'],
  ['>', [']'], 'slanted'],
];

const namedShapes: Readonly<Record<string, Shape>> = {
  circle: 'circle',
  circ: 'circle',
  'dbl-circ': 'circle',
  'sm-circ': 'start',
  'fr-circ': 'end',
  rounded: 'round',
  cyl: 'round',
  stadium: 'pill',
  diam: 'diamond',
  diamond: 'diamond',
  hex: 'hexagon',
  'lean-r': 'slanted',
  'lean-l': 'slanted',
  fork: 'bar',
};

export function readFlowchart([header, ...lines]: readonly SourceLine[], title: string): Graph {
  const [, direction = 'TB', rest = ''] =
    /^(?:graph|flowchart(?:-elk)?)(?:\s+(TB|TD|BT|LR|RL))?\s*(?:;\s*(.*))?$/i.exec(header!.text) ??
    failAtLine(header!);
  const graph = beginGraph(parseDirection(direction));
  graph.title = title;
  for (const line of rest ? [{ ...header!, text: rest }, ...lines] : lines)
    for (const statement of statementsOf(line.text)) readStatement(graph, { ...line, text: statement });
  return finishGraph(graph);
}

/** Splits at semicolons outside of quotes and entities. */
function statementsOf(text: string): readonly string[] {
  const parts = text.match(/(?:"[^"]*"|[#&]\w+;|[^;])+/g) ?? [];
  return parts.map(part => part.trim()).filter(Boolean);
}

function readStatement(graph: GraphBuilder, line: SourceLine): void {
  const { text } = line;
  if (ignored.test(text) || /^direction\s+\w\w$/i.test(text)) return;
  if (text === 'end') {
    graph.open.pop();
    return;
  }
  const group = /^subgraph\b\s*(.*)$/.exec(text);
  if (group) openGroup(graph, group[1]!, line);
  else readChain(graph, new Cursor(line));
}

function openGroup(graph: GraphBuilder, words: string, { number }: SourceLine): void {
  const named = /^([^\s[\]"]+)\s*\[(.*)\]$/.exec(words);
  const label = plainLabel(named?.[2] ?? words);
  const id = named?.[1] ?? (label || `subgraph-${number}`);
  graph.groups.set(id, { text: label, parent: graph.open.at(-1) });
  graph.open.push(id);
}

/** Reads for example `A & B --> C -->|text| D`. */
function readChain(graph: GraphBuilder, cursor: Cursor): void {
  let from = readNodes(graph, cursor);
  while (!cursor.isAtEnd()) {
    const link = readLink(cursor);
    const to = readNodes(graph, cursor);
    // A few lines can define millions of edges.
    if (graph.edges.length + from.length * to.length > maxEdges)
      throw new FigureError(t('The diagram is too large to be drawn.'));
    for (const source of from)
      for (const target of to) graph.edges.push({ ...link, from: source, to: target });
    from = to;
  }
}

function readNodes(graph: GraphBuilder, cursor: Cursor): readonly string[] {
  const ids = [readNode(graph, cursor)];
  while (cursor.take(/\s*&\s*/y)) ids.push(readNode(graph, cursor));
  return ids;
}

function readNode(graph: GraphBuilder, cursor: Cursor): string {
  const id =
    cursor.take(/\s*([\p{L}\p{N}_]+(?:[-./]+(?=[\p{L}\p{N}_])[\p{L}\p{N}_]+)*)/uy)?.[1] ?? cursor.refuse();
  const shaped = readNamedShape(cursor) ?? readBrackets(cursor);
  if (!graph.groups.has(id))
    addNode(graph, id, shaped?.shape ?? graph.nodes.get(id)?.shape ?? 'box', shaped?.text);
  cursor.take(/:::[\w-]+/y);
  return id;
}

interface Shaped {
  readonly shape: Shape;
  /** Absent if the id is the label. */
  readonly text?: string;
}

/** Reads for example `A@{ shape: cyl, label: "Text" }`. */
function readNamedShape(cursor: Cursor): Shaped | undefined {
  const words = cursor.take(/@\{((?:"[^"]*"|[^"}])*)\}/y)?.[1];
  if (words === undefined) return undefined;
  const shape = /\bshape:\s*"?([\w-]+)/.exec(words)?.[1] ?? '';
  const label = /\blabel:\s*("[^"]*"|[^,]*)/.exec(words)?.[1];
  return { shape: namedShapes[shape] ?? 'box', text: label === undefined ? undefined : plainLabel(label) };
}

function readBrackets(cursor: Cursor): Shaped | undefined {
  const found = shapes.find(([opening]) => cursor.startsWith(opening));
  if (!found) return undefined;
  const [opening, closings, shape] = found;
  cursor.skip(opening.length);
  const quoted = cursor.take(/\s*("[^"]*")\s*/y)?.[1];
  const text = quoted ?? cursor.takeUntil(closings);
  const closing = closings.find(each => cursor.startsWith(each)) ?? cursor.refuse();
  cursor.skip(closing.length);
  return { shape, text: plainLabel(text) };
}

const ends: Readonly<Record<string, EdgeEnd>> = { '<': 'arrow', '>': 'arrow', x: 'cross', o: 'circle' };
const whole = /\s*(?:\w+@(?=[-=~<]))?([<xo])?(?:-{2,}([>xo-])|={2,}([>xo=])|-\.+-([>xo])?|(~{3,}))/y;
const withText =
  /\s*(?:\w+@(?=[-=<]))?([<xo])?(?:--\s*("[^"]*"|[^-\s].*?)\s*-{2,}([>xo-])|==\s*("[^"]*"|[^=\s].*?)\s*={2,}([>xo=])|-\.\s*("[^"]*"|[^.\s-].*?)\s*\.+-([>xo])?)/y;

/** Reads the link between two nodes. */
function readLink(cursor: Cursor) {
  const plain = cursor.take(whole);
  if (plain) {
    const [text, start = '', solid, thick, dotted = '', hidden] = plain;
    const line = hidden ? 'hidden' : thick ? 'thick' : solid ? 'solid' : 'dotted';
    const label = cursor.take(/\s*\|((?:"[^"]*"|[^|])*)\|/y)?.[1] ?? '';
    return linkOf(line, start, text.includes('~') ? '' : (solid ?? thick ?? dotted), label);
  }
  const [, start = '', solidText, solid, thickText, thick, dottedText = '', dotted = ''] =
    cursor.take(withText) ?? cursor.refuse();
  if (solidText !== undefined) return linkOf('solid', start, solid!, solidText);
  return thickText === undefined
    ? linkOf('dotted', start, dotted, dottedText)
    : linkOf('thick', start, thick!, thickText);
}

function linkOf(line: 'solid' | 'dotted' | 'thick' | 'hidden', start: string, end: string, label: string) {
  return { line, start: ends[start] ?? 'none', end: ends[end] ?? 'none', text: plainLabel(label) } as const;
}

/** Reading position in a line. Patterns must be sticky. */
class Cursor {
  readonly #line: SourceLine;
  #at = 0;

  constructor(line: SourceLine) {
    this.#line = line;
  }

  isAtEnd(): boolean {
    return this.#line.text.slice(this.#at).trim() === '';
  }

  startsWith(text: string): boolean {
    return this.#line.text.startsWith(text, this.#at);
  }

  skip(length: number): void {
    this.#at += length;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line.text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  takeUntil(closings: readonly string[]): string {
    const found = closings.map(closing => this.#line.text.indexOf(closing, this.#at)).filter(at => at >= 0);
    if (found.length === 0) return this.refuse();
    const text = this.#line.text.slice(this.#at, Math.min(...found));
    this.#at += text.length;
    return text;
  }

  refuse(): never {
    return failAtLine(this.#line);
  }
}
