import { mostSeries } from './readChart.ts';

interface PieViewProps {
  readonly values: readonly (number | null)[];
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Slices from the top, clockwise. The legend names them. */
export function PieView({ values, x, y, radius }: PieViewProps) {
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  let turned = 0;
  return (
    <>
      {values.map((value, at) => {
        const share = total > 0 ? (value ?? 0) / total : 0;
        const from = turned;
        turned += share;
        if (share <= 0) return null;
        if (share > 0.9999)
          return <circle key={at} class="figure-ink" data-ink={at % mostSeries} cx={x} cy={y} r={radius} />;
        const begin = pointAt(from);
        const end = pointAt(turned);
        const arc = `A ${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${end}`;
        return (
          <path
            key={at}
            class="figure-ink figure-slice"
            data-ink={at % mostSeries}
            d={`M ${x} ${y} L ${begin} ${arc} Z`}
          />
        );
      })}
    </>
  );

  function pointAt(share: number): string {
    const angle = share * 2 * Math.PI;
    return `${x + radius * Math.sin(angle)} ${y - radius * Math.cos(angle)}`;
  }
}
