import { type EdgeLabel, type GraphLabel, Graph as Layered, layout, type NodeLabel } from '@dagrejs/dagre';
import { lineHeight, type MeasureText, widthOf, wrapText } from '../drawing/text.ts';
import type { Graph, GraphEdge, GraphNode } from './diagram.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box with its centre at `x`, `y`. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Box {
  readonly node: GraphNode;
  readonly lines: readonly string[];
}

interface PlacedGroup extends Box {
  readonly text: string;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  readonly label: Box | undefined;
  readonly lines: readonly string[];
}

export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly groups: readonly PlacedGroup[];
  readonly edges: readonly PlacedEdge[];
}

const labelWidth = 180;
/** Margin around the diagram, in pixels. */
const margin = 8;

export function layoutGraph(graph: Graph, measure: MeasureText): PlacedGraph {
  const { nodes, groups, edges, direction } = graph;
  const layered = new Layered<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true, compound: true });
  layered.setGraph({
    rankdir: direction,
    nodesep: 28,
    ranksep: 36,
    edgesep: 14,
    marginx: margin,
    marginy: margin,
  });
  layered.setDefaultEdgeLabel(() => ({}));
  const shown = [...nodes].map(([id, node]) => ({ id, node, ...measureNode(node, measure) }));
  for (const { id, width, height } of shown) layered.setNode(`n ${id}`, { width, height });
  const filled = groupsWithNodes(graph);
  for (const id of filled) layered.setNode(`g ${id}`, { width: 0, height: 0 });
  for (const id of filled) setParent(layered, `g ${id}`, groups.get(id)?.parent);
  for (const { id, node } of shown) setParent(layered, `n ${id}`, node.group);
  // The layout does not support edges to groups, so they connect a node inside.
  const anchor = (id: string) => (nodes.has(id) ? id : firstIn(graph, id));
  const drawn = edges.flatMap(edge => {
    const [from, to] = [anchor(edge.from), anchor(edge.to)];
    return from === undefined || to === undefined ? [] : [{ edge, from, to }];
  });
  for (const [at, { edge, from, to }] of drawn.entries()) {
    const lines = edge.text ? wrapText(edge.text, labelWidth, measure) : [];
    const width = lines.length > 0 ? widthOf(lines, measure) + 8 : 0;
    const height = lines.length * lineHeight;
    const isCounted = edge.startText !== undefined || edge.endText !== undefined;
    layered.setEdge(
      `n ${from}`,
      `n ${to}`,
      { width, height, labelpos: 'c', minlen: isCounted ? 2 : 1 },
      String(at),
    );
  }
  layout(layered);
  const { width = 0, height = 0 } = layered.graph();
  const placed = filled.map(id => withTitle(boxOf(layered.node(`g ${id}`)), titlesAtop(graph, id)));
  const above = Math.max(0, ...placed.map(box => margin - cornerOf(box).y));
  const down = <T extends Point>(point: T): T => ({ ...point, y: point.y + above });
  return {
    width,
    height: height + above,
    nodes: shown.map(({ id, node, lines }) => ({ node, lines, ...down(boxOf(layered.node(`n ${id}`))) })),
    groups: filled.map((id, at) => ({ text: groups.get(id)?.text ?? '', ...down(placed[at]!) })),
    edges: drawn.map(({ edge, from, to }, at) => {
      const { points = [], ...label } = layered.edge(`n ${from}`, `n ${to}`, String(at));
      const lines = edge.text ? wrapText(edge.text, labelWidth, measure) : [];
      const box = lines.length > 0 ? down(boxOf(label)) : undefined;
      return { edge, points: points.map(down), lines, label: box };
    }),
  };
}

/** Extends a group upward for its title and those of nested groups, for which the layout leaves no space. */
function withTitle({ y, height, ...box }: Box, titles: number): Box {
  const room = titles * lineHeight;
  return { ...box, y: y - room / 2, height: height + room };
}

function titlesAtop(graph: Graph, id: string): number {
  const { groups } = graph;
  const within = [...groups].flatMap(([inner, { parent }]) => (parent === id ? [inner] : []));
  const own = groups.get(id)?.text ? 1 : 0;
  return own + Math.max(0, ...within.map(inner => titlesAtop(graph, inner)));
}

function measureNode(node: GraphNode, measure: MeasureText) {
  if (node.shape === 'start' || node.shape === 'end') return { lines: [], width: 16, height: 16 };
  if (node.shape === 'bar') return { lines: [], width: 60, height: 6 };
  const lines = wrapText(node.text, labelWidth, measure);
  const rows = node.sections?.flat() ?? [];
  const width = widthOf([...lines, ...rows], measure) + 24;
  const gaps = (node.sections?.length ?? 0) * 9;
  const height = (lines.length + rows.length) * lineHeight + gaps + 16;
  switch (node.shape) {
    case 'diamond':
      return { lines, width: width + height, height: height * 1.6 };
    case 'circle':
      return { lines, width: Math.max(width, height), height: Math.max(width, height) };
    case 'hexagon':
    case 'slanted':
    case 'pill':
      return { lines, width: width + 20, height };
    case 'box':
    case 'round':
    case 'note':
      return { lines, width, height };
  }
}

/** Returns the groups with nodes, directly or nested, outer ones first. */
function groupsWithNodes({ nodes, groups }: Graph): readonly string[] {
  const filled = new Set<string>();
  for (const node of nodes.values()) {
    for (let id = node.group; id !== undefined && !filled.has(id); id = groups.get(id)?.parent)
      filled.add(id);
  }
  return [...groups.keys()].filter(id => filled.has(id));
}

function firstIn({ nodes, groups }: Graph, group: string): string | undefined {
  for (const [id, node] of nodes) {
    for (let at = node.group; at !== undefined; at = groups.get(at)?.parent) if (at === group) return id;
  }
  return undefined;
}

function setParent(
  layered: Layered<GraphLabel, NodeLabel, EdgeLabel>,
  id: string,
  group: string | undefined,
): void {
  if (group !== undefined && layered.hasNode(`g ${group}`)) layered.setParent(id, `g ${group}`);
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x, y, width, height };
}

export function cornerOf({ x, y, width, height }: Box) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}
