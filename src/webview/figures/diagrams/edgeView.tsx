import type { EdgeEnd } from './diagram.ts';
import { cornerOf, type PlacedEdge, type PlacedNode, type Point } from './layoutGraph.ts';
import { TextLines } from './textLines.tsx';

interface EdgeViewProps {
  readonly placed: PlacedEdge;
  readonly ends: readonly PlacedNode[];
}

export function EdgeView({ placed, ends }: EdgeViewProps) {
  const { edge, label, lines } = placed;
  if (edge.line === 'hidden') return null;
  const points = toOutlines(placed.points, ends);
  const [first, second] = points;
  const [last, before] = [points.at(-1), points.at(-2)];
  if (!first || !second || !last || !before) return null;
  return (
    <g>
      <path class={`figure-edge figure-${edge.line}`} d={curve(points)} />
      <EdgeEndShape end={edge.start} tip={first} from={second} />
      <EdgeEndShape end={edge.end} tip={last} from={before} />
      {label && <rect class="figure-label" {...cornerOf(label)} />}
      {label && <TextLines lines={lines} x={label.x} y={label.y} />}
      {edge.startText && <Count text={edge.startText} tip={first} from={second} />}
      {edge.endText && <Count text={edge.endText} tip={last} from={before} />}
    </g>
  );
}

function Count({ text, tip, from }: { readonly text: string; readonly tip: Point; readonly from: Point }) {
  const place = along(tip, from, 16, 12);
  return (
    <text class="figure-text figure-quiet" x={place.x} y={place.y}>
      {text}
    </text>
  );
}

interface EndProps {
  readonly tip: Point;
  readonly from: Point;
}

/** End of an edge, drawn as a path: a marker needs an id, which two figures of a page could share. */
export function EdgeEndShape({ end, tip, from }: EndProps & { readonly end: EdgeEnd }) {
  const to = (forward: number, side: number) => {
    const { x, y } = along(tip, from, forward, side);
    return `${x} ${y}`;
  };
  switch (end) {
    case 'none':
      return null;
    case 'arrow':
      return <path class="figure-tip" d={`M ${to(0, 0)} L ${to(8, 4)} L ${to(8, -4)} Z`} />;
    case 'triangle':
      return <path class="figure-hollow" d={`M ${to(0, 0)} L ${to(12, 6)} L ${to(12, -6)} Z`} />;
    case 'diamond':
      return <path class="figure-hollow" d={`M ${to(0, 0)} L ${to(7, 5)} L ${to(14, 0)} L ${to(7, -5)} Z`} />;
    case 'filled':
      return <path class="figure-tip" d={`M ${to(0, 0)} L ${to(7, 5)} L ${to(14, 0)} L ${to(7, -5)} Z`} />;
    case 'circle': {
      const { x, y } = along(tip, from, 4, 0);
      return <circle class="figure-hollow" cx={x} cy={y} r={4} />;
    }
    case 'cross':
      return (
        <path
          class="figure-edge figure-solid"
          d={`M ${to(2, 4)} L ${to(10, -4)} M ${to(2, -4)} L ${to(10, 4)}`}
        />
      );
  }
}

/** Returns the point at distance `back` from the tip toward `from`, and `side` beside the line. */
function along(tip: Point, from: Point, back: number, side: number): Point {
  const length = Math.hypot(from.x - tip.x, from.y - tip.y) || 1;
  const [dx, dy] = [(from.x - tip.x) / length, (from.y - tip.y) / length];
  return { x: tip.x + dx * back - dy * side, y: tip.y + dy * back + dx * side };
}

/** Returns a path with rounded corners. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  let path = `M ${first!.x} ${first!.y}`;
  for (const [at, point] of rest.entries()) {
    const next = rest[at + 1];
    if (next) path += ` Q ${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
    else path += ` L ${point.x} ${point.y}`;
  }
  return path;
}

/** Extends edges from the bounding box to the outline of smaller shapes. */
function toOutlines(points: readonly Point[], nodes: readonly PlacedNode[]): readonly Point[] {
  if (points.length < 2) return points;
  const inner = points.slice(1, -1);
  const first = outline(points[0]!, points[1]!, nodes);
  const last = outline(points.at(-1)!, points.at(-2)!, nodes);
  return [first, ...inner, last];
}

function outline(end: Point, toward: Point, nodes: readonly PlacedNode[]): Point {
  const node = nodes.find(
    ({ x, y, width, height }) =>
      Math.abs(end.x - x) <= width / 2 + 1 && Math.abs(end.y - y) <= height / 2 + 1,
  );
  if (!node) return end;
  const { shape } = node.node;
  if (shape !== 'diamond' && shape !== 'circle') return end;
  const [dx, dy] = [toward.x - node.x, toward.y - node.y];
  const reach =
    shape === 'circle'
      ? Math.hypot(dx, dy) / (node.width / 2)
      : Math.abs(dx) / (node.width / 2) + Math.abs(dy) / (node.height / 2);
  return reach === 0 ? end : { x: node.x + dx / reach, y: node.y + dy / reach };
}
