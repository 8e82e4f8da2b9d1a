import {
  addNode,
  beginGraph,
  finishGraph,
  type Graph,
  type GraphBuilder,
  parseDirection,
} from './diagram.ts';
import { failAtLine, plainLabel, type SourceLine } from './sourceLines.ts';

const name = String.raw`("[^"]+"|[^\s"{}[\]]+)`;
const relation = new RegExp(
  String.raw`^${name}\s+(\|o|\|\||\}o|\}\|)(--|\.\.)(o\||\|\||o\{|\|\{)\s+${name}(?:\s*:\s*(.*))?$`,
);
const entity = new RegExp(String.raw`^${name}\s*(?:\[(.*)\])?(?::::\S+)?\s*(\{)?\s*(\})?$`);

const counts: Readonly<Record<string, string>> = {
  '|o': '0..1',
  'o|': '0..1',
  '||': '1',
  '}o': '0..*',
  'o{': '0..*',
  '}|': '1..*',
  '|{': '1..*',
};

/** Reads entities with attributes. Multiplicities become numbers, as in class diagrams. */
export function readEntities(lines: readonly SourceLine[], title: string): Graph {
  const graph = beginGraph('TB');
  graph.title = title;
  let attributes: string | undefined;
  for (const line of lines.slice(1)) {
    if (attributes === undefined) attributes = readLine(graph, line);
    else if (line.text === '}') attributes = undefined;
    else addAttribute(graph, attributes, line.text);
  }
  return finishGraph(graph);
}

function readLine(graph: GraphBuilder, line: SourceLine): string | undefined {
  const { text } = line;
  if (/^(?:classDef|class|style|accTitle|accDescr)\b/.test(text)) return undefined;
  const direction = /^direction\s+(\w\w)$/i.exec(text)?.[1];
  if (direction) {
    graph.direction = parseDirection(direction);
    return undefined;
  }
  const related = relation.exec(text);
  if (!related) {
    const [, id = '', label, opens, closes] = entity.exec(text) ?? failAtLine(line);
    addNode(graph, plainLabel(id), 'box', plainLabel(label ?? id));
    return opens && !closes ? plainLabel(id) : undefined;
  }
  const [, left = '', start = '', dashes, end = '', right = '', label = ''] = related;
  for (const id of [left, right]) addNode(graph, plainLabel(id), 'box');
  graph.edges.push({
    from: plainLabel(left),
    to: plainLabel(right),
    text: plainLabel(label),
    line: dashes === '..' ? 'dotted' : 'solid',
    start: 'none',
    end: 'none',
    startText: counts[start],
    endText: counts[end],
  });
  return undefined;
}

function addAttribute(graph: GraphBuilder, id: string, written: string): void {
  const node = graph.nodes.get(id)!;
  const words = written.replace(/\s*"[^"]*"\s*$/, '').replace(/\s+/g, ' ');
  graph.nodes.set(id, { ...node, sections: [[...(node.sections?.[0] ?? []), words]] });
}
