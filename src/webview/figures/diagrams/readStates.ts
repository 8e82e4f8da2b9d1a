import {
  addNode,
  beginGraph,
  finishGraph,
  type Graph,
  type GraphBuilder,
  parseDirection,
} from './diagram.ts';
import { failAtLine, plainLabel, type SourceLine } from './sourceLines.ts';

const ignored = /^(?:(?:classDef|class|style|hide|scale|accTitle|accDescr)(?=[\s:])|--$)/;
const transition =
  /^(\[\*\]|[^\s:{}"]+?)(?::::[\w-]+)?\s*-->\s*(\[\*\]|[^\s:{}"]+?)(?::::[\w-]+)?\s*(?::\s*(.*))?$/;

export function readStates(lines: readonly SourceLine[], title: string): Graph {
  const graph = beginGraph('TB');
  graph.title = title;
  let note: { readonly of: string; words: string[] } | undefined;
  for (const line of lines.slice(1)) {
    if (note) {
      if (!/^end note$/i.test(line.text)) note.words.push(line.text);
      else {
        addNote(graph, note.of, note.words.join('\n'), line);
        note = undefined;
      }
      continue;
    }
    const long = /^note\s+(?:left|right)\s+of\s+(\S+)$/i.exec(line.text);
    if (long) note = { of: long[1]!, words: [] };
    else readLine(graph, line);
  }
  return finishGraph(graph);
}

function readLine(graph: GraphBuilder, line: SourceLine): void {
  const { text } = line;
  if (ignored.test(text)) return;
  const direction = /^direction\s+(\w\w)$/i.exec(text)?.[1];
  if (direction) {
    if (graph.open.length === 0) graph.direction = parseDirection(direction);
    return;
  }
  if (text === '}') {
    graph.open.pop();
    return;
  }
  const note = /^note\s+(?:left|right)\s+of\s+(\S+?)\s*:\s*(.+)$/i.exec(text);
  if (note) {
    addNote(graph, note[1]!, note[2]!, line);
    return;
  }
  const state = /^state\s+(?:"([^"]*)"\s+as\s+)?([^\s{"<]+)\s*(<<\w+>>|\{)?$/.exec(text);
  if (state) {
    addState(graph, state[2]!, state[1], state[3]);
    return;
  }
  const [, from, to, label = ''] = transition.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    graph.edges.push({
      from: place(graph, from, 'start'),
      to: place(graph, to, 'end'),
      text: plainLabel(label),
      line: 'solid',
      start: 'none',
      end: 'arrow',
    });
    return;
  }
  const [, id, description] = /^([^\s:]+)\s*(?::\s*(.+))?$/.exec(text) ?? failAtLine(line);
  addNode(graph, id!, 'round', description === undefined ? undefined : plainLabel(description));
}

function addState(
  graph: GraphBuilder,
  id: string,
  label: string | undefined,
  after: string | undefined,
): void {
  if (after === '{') {
    graph.nodes.delete(id);
    graph.groups.set(id, { text: plainLabel(label ?? id), parent: graph.open.at(-1) });
    graph.open.push(id);
    return;
  }
  if (after === '<<choice>>') addNode(graph, id, 'diamond', '');
  else if (after === '<<fork>>' || after === '<<join>>') addNode(graph, id, 'bar', '');
  else addNode(graph, id, 'round', label === undefined ? undefined : plainLabel(label));
}

/** Returns the node of `[*]`. Each group has its own start and end. */
function place(graph: GraphBuilder, name: string, star: 'start' | 'end'): string {
  if (name !== '[*]') {
    if (!graph.groups.has(name)) addNode(graph, name, graph.nodes.get(name)?.shape ?? 'round');
    return name;
  }
  const id = `[*] ${star} ${graph.open.at(-1) ?? ''}`;
  addNode(graph, id, star, '');
  return id;
}

function addNote(graph: GraphBuilder, of: string, words: string, { number }: SourceLine): void {
  const id = `note-${number}`;
  place(graph, of, 'start');
  addNode(graph, id, 'note', plainLabel(words));
  graph.edges.push({ from: of, to: id, text: '', line: 'dotted', start: 'none', end: 'none' });
}
