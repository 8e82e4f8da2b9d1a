import { lineHeight } from '../drawing/text.ts';
import { EdgeEndShape } from './edgeView.tsx';
import type { PlacedRow, PlacedSequence } from './layoutSequence.ts';
import { TextLines } from './textLines.tsx';

export function SequenceView({ actors, rows, head, height }: PlacedSequence) {
  return (
    <>
      {actors.map(({ x }, at) => (
        <path key={at} class="figure-edge figure-dotted" d={`M ${x} ${head} V ${height}`} />
      ))}
      {rows.map((row, at) => (
        <RowView key={at} row={row} />
      ))}
      {actors.map(({ x, width, lines }, at) => (
        <g key={at}>
          <rect class="figure-node" x={x - width / 2} y={4} width={width} height={head - 4} rx={4} />
          <TextLines lines={lines} x={x} y={4 + (head - 4) / 2} />
        </g>
      ))}
    </>
  );
}

function RowView({ row: placed }: { readonly row: PlacedRow }) {
  switch (placed.kind) {
    case 'message':
      return <MessageView placed={placed} />;
    case 'note':
      return (
        <g>
          <rect
            class="figure-node figure-note"
            x={placed.x}
            y={placed.y}
            width={placed.width}
            height={placed.height}
          />
          <TextLines lines={placed.lines} x={placed.x + placed.width / 2} y={placed.y + placed.height / 2} />
        </g>
      );
    case 'frame':
      return (
        <g>
          <rect class="figure-group" x={placed.x} y={placed.y} width={placed.width} height={placed.height} />
          <text class="figure-text figure-row figure-quiet" x={placed.x + 6} y={placed.y + 12}>
            {[placed.word, placed.text].filter(Boolean).join(': ')}
          </text>
        </g>
      );
    case 'else':
      return (
        <g>
          <path class="figure-edge figure-dotted" d={`M ${placed.x} ${placed.y} h ${placed.width}`} />
          <text class="figure-text figure-row figure-quiet" x={placed.x + 6} y={placed.y + 11}>
            {placed.text}
          </text>
        </g>
      );
  }
}

function MessageView({ placed }: { readonly placed: Extract<PlacedRow, { kind: 'message' }> }) {
  const { row, y, from, to, lines } = placed;
  const isOwn = row.from === row.to;
  const path = isOwn ? `M ${from} ${y} h 28 v 14 h -28` : `M ${from} ${y} H ${to}`;
  const tip = isOwn ? { x: from, y: y + 14 } : { x: to, y };
  const end = row.end === 'open' ? 'arrow' : row.end;
  const top = y - 4 - (lines.length * lineHeight) / 2;
  return (
    <g>
      <path class={`figure-edge figure-${row.line}`} d={path} />
      <EdgeEndShape end={end} tip={tip} from={isOwn ? { x: tip.x + 10, y: tip.y } : { x: from, y }} />
      <EdgeEndShape end={row.start} tip={{ x: from, y }} from={{ x: to, y }} />
      {isOwn ? (
        <TextLines lines={lines} x={from + 8} y={top} class="figure-row" />
      ) : (
        <TextLines lines={lines} x={(from + to) / 2} y={top} class="figure-over" />
      )}
    </g>
  );
}
