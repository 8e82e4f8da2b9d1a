import type { MeasureText } from '../drawing/text.ts';

export interface LegendEntry {
  readonly ink: number;
  readonly text: string;
}

interface Legend {
  readonly height: number;
  readonly entries: readonly (LegendEntry & { readonly x: number; readonly y: number })[];
}

const row = 18;

/** Places entries in lines, left to right. */
export function placeLegend(named: readonly LegendEntry[], width: number, measure: MeasureText): Legend {
  let x = 4;
  let y = 8;
  const entries = named.map(each => {
    const needed = measure(each.text) + 30;
    if (x > 4 && x + needed > width) {
      x = 4;
      y += row;
    }
    const entry = { ...each, x, y };
    x += needed;
    return entry;
  });
  return { height: y + row - 4, entries };
}

export function LegendView({ legend, top }: { readonly legend: Legend; readonly top: number }) {
  return (
    <>
      {legend.entries.map(({ ink, text, x, y }, at) => (
        <g key={at}>
          <HatchedBar ink={ink} x={x} y={top + y - 5} width={10} height={10} />
          <text class="figure-text figure-row" x={x + 16} y={top + y}>
            {text}
          </text>
        </g>
      ))}
    </>
  );
}

interface InkProps {
  readonly ink: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title?: string;
}

/** Bar with colour and hatching of its series, so that colour is not the only difference. */
export function HatchedBar({ ink, x, y, width, height, title }: InkProps) {
  return (
    <g>
      {title !== undefined && <title>{title}</title>}
      <rect class="figure-ink" data-ink={ink} x={x} y={y} width={width} height={height} />
      {ink > 0 && <path class="figure-hatch" d={hatch(ink, { x, y, width, height })} />}
    </g>
  );
}

/** Returns hatch lines: horizontal or vertical in turn, denser for higher inks. */
function hatch(ink: number, { x, y, width, height }: Omit<InkProps, 'ink'>): string {
  const gap = 3 + Math.ceil(ink / 2) * 1.5;
  const isLying = ink % 2 === 1;
  const count = Math.min(Math.floor((isLying ? height : width) / gap), 100);
  return Array.from({ length: count }, (_, at) =>
    isLying ? `M ${x} ${y + height - (at + 1) * gap} h ${width}` : `M ${x + (at + 1) * gap} ${y} v ${height}`,
  ).join(' ');
}
