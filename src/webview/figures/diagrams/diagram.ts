/* Parsed diagrams, without layout and colours. */

export type Diagram = Graph | Sequence;

export interface Graph {
  readonly kind: 'graph';
  readonly title: string;
  readonly direction: 'TB' | 'BT' | 'LR' | 'RL';
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  readonly groups: ReadonlyMap<string, GraphGroup>;
}

export type Shape =
  | 'box'
  | 'round'
  | 'pill'
  | 'circle'
  | 'diamond'
  | 'hexagon'
  | 'slanted'
  | 'start'
  | 'end'
  | 'bar'
  | 'note';

export interface GraphNode {
  readonly shape: Shape;
  /** Lines are separated by `\n`. */
  readonly text: string;
  /** Rows of a class or table, below its name. */
  readonly sections?: readonly (readonly string[])[];
  readonly group?: string;
}

interface GraphGroup {
  readonly text: string;
  readonly parent?: string;
}

/** Maximum number of edges for a readable diagram. */
export const maxEdges = 140;

export type EdgeEnd = 'none' | 'arrow' | 'circle' | 'cross' | 'triangle' | 'diamond' | 'filled';
type EdgeLine = 'solid' | 'dotted' | 'thick' | 'hidden';

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly line: EdgeLine;
  readonly start: EdgeEnd;
  readonly end: EdgeEnd;
  /** Multiplicity, shown at each end. */
  readonly startText?: string;
  readonly endText?: string;
}

export interface Sequence {
  readonly kind: 'sequence';
  readonly title: string;
  readonly actors: ReadonlyMap<string, string>;
  readonly rows: readonly SequenceRow[];
}

export type SequenceRow =
  | {
      readonly kind: 'message';
      readonly from: string;
      readonly to: string;
      readonly text: string;
      readonly line: 'solid' | 'dotted';
      readonly end: 'none' | 'arrow' | 'open' | 'cross';
      readonly start: 'none' | 'arrow';
    }
  | {
      readonly kind: 'note';
      readonly over: readonly string[];
      readonly side: 'left' | 'right' | 'over';
      readonly text: string;
    }
  | { readonly kind: 'begin'; readonly word: string; readonly text: string }
  | { readonly kind: 'else'; readonly word: string; readonly text: string }
  | { readonly kind: 'finish' };

/** A graph during parsing. */
export interface GraphBuilder {
  title: string;
  direction: Graph['direction'];
  readonly nodes: Map<string, GraphNode>;
  readonly edges: GraphEdge[];
  readonly groups: Map<string, GraphGroup>;
  /** Open groups, innermost last. */
  readonly open: string[];
}

export function beginGraph(direction: Graph['direction']): GraphBuilder {
  return { title: '', direction, nodes: new Map(), edges: [], groups: new Map(), open: [] };
}

/** Adds a node. The first mention inside a group puts it there. */
export function addNode(graph: GraphBuilder, id: string, shape: Shape, text?: string): void {
  const known = graph.nodes.get(id);
  if (known && text === undefined) return;
  const group = known?.group ?? graph.open.at(-1);
  graph.nodes.set(id, { ...known, shape, text: text ?? id, group });
}

export function finishGraph({ title, direction, nodes, edges, groups }: GraphBuilder): Graph {
  // An edge may name a group before it begins.
  for (const id of groups.keys()) nodes.delete(id);
  return { kind: 'graph', title, direction, nodes, edges, groups };
}

export function parseDirection(direction: string): Graph['direction'] {
  const word = direction.toUpperCase();
  return word === 'BT' || word === 'LR' || word === 'RL' ? word : 'TB';
}
