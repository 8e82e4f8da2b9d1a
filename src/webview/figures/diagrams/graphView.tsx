import { lineHeight } from '../drawing/text.ts';
import type { Shape } from './diagram.ts';
import { EdgeView } from './edgeView.tsx';
import { type Box, cornerOf, type PlacedGraph, type PlacedNode } from './layoutGraph.ts';
import { TextLines } from './textLines.tsx';

export function GraphView({ groups, edges, nodes }: PlacedGraph) {
  return (
    <>
      {groups.map((group, at) => (
        <rect key={at} class="figure-group" {...cornerOf(group)} rx={4} />
      ))}
      {edges.map((edge, at) => (
        <EdgeView key={at} placed={edge} ends={nodes} />
      ))}
      {groups.map(({ x, y, height, text }, at) => (
        <text
          key={at}
          class="figure-text figure-quiet figure-above"
          x={x}
          y={y - height / 2 + lineHeight * 0.75}
        >
          {text}
        </text>
      ))}
      {nodes.map((node, at) => (
        <NodeView key={at} placed={node} />
      ))}
    </>
  );
}

function NodeView({ placed }: { readonly placed: PlacedNode }) {
  const { node, lines, x, y, height, width } = placed;
  const { sections = [] } = node;
  const rows = sections.flat().length;
  if (rows === 0) {
    return (
      <g>
        <Outline shape={node.shape} box={placed} />
        <TextLines lines={lines} x={x} y={y} />
      </g>
    );
  }
  const left = x - width / 2;
  let top = y - height / 2 + 8 + lines.length * lineHeight;
  return (
    <g>
      <Outline shape={node.shape} box={placed} />
      <TextLines lines={lines} x={x} y={y - height / 2 + 8 + (lines.length * lineHeight) / 2} />
      {sections.map((section, at) => {
        const begin = top;
        top += 9 + section.length * lineHeight;
        return (
          <g key={at}>
            <path class="figure-line" d={`M ${left} ${begin + 4} h ${width}`} />
            {section.map((row, index) => (
              <text
                key={index}
                class="figure-text figure-row"
                x={left + 12}
                y={begin + 8 + lineHeight * (index + 0.5)}
              >
                {row}
              </text>
            ))}
          </g>
        );
      })}
    </g>
  );
}

function Outline({ shape, box }: { readonly shape: Shape; readonly box: Box }) {
  const { x, y, width, height } = box;
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  switch (shape) {
    case 'box':
      return <rect class="figure-node" {...cornerOf(box)} />;
    case 'note':
      return <rect class="figure-node figure-note" {...cornerOf(box)} />;
    case 'round':
      return <rect class="figure-node" {...cornerOf(box)} rx={6} />;
    case 'pill':
      return <rect class="figure-node" {...cornerOf(box)} rx={height / 2} />;
    case 'circle':
      return <circle class="figure-node" cx={x} cy={y} r={width / 2} />;
    case 'start':
      return <circle class="figure-dot" cx={x} cy={y} r={6} />;
    case 'end':
      return (
        <>
          <circle class="figure-node" cx={x} cy={y} r={7} />
          <circle class="figure-dot" cx={x} cy={y} r={4} />
        </>
      );
    case 'bar':
      return <rect class="figure-dot" {...cornerOf(box)} />;
    case 'diamond':
      return (
        <path class="figure-node" d={`M ${left} ${y} L ${x} ${top} L ${right} ${y} L ${x} ${bottom} Z`} />
      );
    case 'hexagon':
      return (
        <path
          class="figure-node"
          d={`M ${left} ${y} L ${left + 10} ${top} H ${right - 10} L ${right} ${y} L ${right - 10} ${bottom} H ${left + 10} Z`}
        />
      );
    case 'slanted':
      return (
        <path
          class="figure-node"
          d={`M ${left + 10} ${top} H ${right} L ${right - 10} ${bottom} H ${left} Z`}
        />
      );
  }
}
