import {
  addNode,
  beginGraph,
  type EdgeEnd,
  finishGraph,
  type Graph,
  type GraphBuilder,
  type GraphEdge,
  parseDirection,
} from './diagram.ts';
import { failAtLine, plainLabel, type SourceLine } from './sourceLines.ts';

const ignored =
  /^(?:classDef|cssClass|class\s+\S+\s+[\w-]+$|style|click|callback|link|accTitle|accDescr|note\s+"|hide\s)/;
const relation =
  /^(\S+?)\s*(?:"([^"]*)")?\s*(<\||[<*o]|\(\))?(--|\.\.)(\|>|[>*o]|\(\))?\s*(?:"([^"]*)")?\s*([^\s":]+)\s*(?::\s*(.*))?$/;
const ends: Readonly<Record<string, EdgeEnd>> = {
  '<|': 'triangle',
  '|>': 'triangle',
  '<': 'arrow',
  '>': 'arrow',
  '*': 'filled',
  o: 'diamond',
  '()': 'circle',
};

export function readClasses(lines: readonly SourceLine[], title: string): Graph {
  const graph = beginGraph('TB');
  graph.title = title;
  let members: string | undefined;
  for (const line of lines.slice(1)) {
    if (members !== undefined) {
      if (line.text === '}') members = undefined;
      else addMember(graph, members, line.text);
      continue;
    }
    members = readLine(graph, line);
  }
  return finishGraph(graph);
}

/** Reads a line. Returns the class whose members follow, if any. */
function readLine(graph: GraphBuilder, line: SourceLine): string | undefined {
  const { text } = line;
  const declared =
    /^class\s+(`[^`]+`|[^\s[{:~]+)(?:~([^~]+)~)?(?:\["?([^\]"]*)"?\])?(?::::\w+)?\s*(?:(\{)\s*(\})?)?$/.exec(
      text,
    );
  if (declared) {
    const [, id = '', generic, label, opens, closes] = declared;
    const name = nameOf(id);
    addNode(
      graph,
      name,
      'box',
      label === undefined ? `${name}${generic ? `<${generic}>` : ''}` : plainLabel(label),
    );
    return opens && !closes ? name : undefined;
  }
  if (ignored.test(text)) return undefined;
  const direction = /^direction\s+(\w\w)$/i.exec(text)?.[1];
  if (direction) graph.direction = parseDirection(direction);
  else if (text === '}') graph.open.pop();
  else readRest(graph, line);
  return undefined;
}

function readRest(graph: GraphBuilder, line: SourceLine): void {
  const { text } = line;
  const space = /^namespace\s+(\S+)\s*\{$/.exec(text)?.[1];
  if (space !== undefined) {
    graph.groups.set(space, { text: plainLabel(space), parent: graph.open.at(-1) });
    graph.open.push(space);
    return;
  }
  const kind = /^<<(.+)>>\s+(\S+)$/.exec(text);
  if (kind) {
    addMember(graph, nameOf(kind[2]!), `<<${kind[1]}>>`);
    return;
  }
  const note = /^note\s+for\s+(\S+)\s+"([^"]*)"$/.exec(text);
  if (note) {
    const id = `note-${line.number}`;
    addNode(graph, nameOf(note[1]!), 'box');
    addNode(graph, id, 'note', plainLabel(note[2]!));
    graph.edges.push({
      from: id,
      to: nameOf(note[1]!),
      text: '',
      line: 'dotted',
      start: 'none',
      end: 'none',
    });
    return;
  }
  const related = relation.exec(text);
  if (related) {
    graph.edges.push(relate(graph, related));
    return;
  }
  const member = /^(\S+)\s*:\s*(.+)$/.exec(text) ?? failAtLine(line);
  addMember(graph, nameOf(member[1]!), member[2]!);
}

function relate(graph: GraphBuilder, parts: RegExpExecArray): GraphEdge {
  const [, left = '', startText, start = '', line, end = '', endText, right = '', label = ''] = parts;
  for (const id of [left, right]) addNode(graph, nameOf(id), 'box');
  return {
    from: nameOf(left),
    to: nameOf(right),
    text: plainLabel(label),
    line: line === '..' ? 'dotted' : 'solid',
    start: ends[start] ?? 'none',
    end: ends[end] ?? 'none',
    startText: startText && plainLabel(startText),
    endText: endText && plainLabel(endText),
  };
}

/** Adds a member: annotations (`<<…>>`) first, then fields, then methods. */
function addMember(graph: GraphBuilder, id: string, written: string): void {
  addNode(graph, id, 'box');
  const node = graph.nodes.get(id)!;
  const kind = /^<<(.+)>>$/.exec(written)?.[1];
  if (kind !== undefined) {
    graph.nodes.set(id, { ...node, text: `«${plainLabel(kind)}»\n${node.text}` });
    return;
  }
  const [fields = [], methods = []] = node.sections ?? [];
  const member = generics(written.replace(/[*$]$/, '').trim());
  const sections = written.includes('(') ? [fields, [...methods, member]] : [[...fields, member], methods];
  graph.nodes.set(id, { ...node, sections });
}

function nameOf(id: string): string {
  return generics(id.replaceAll('`', '')).replace(/<.*$/, '');
}

function generics(text: string): string {
  return text.replace(/~([^~]*)~/g, '<$1>');
}
