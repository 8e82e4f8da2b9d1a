import type { Chart } from './readChart.ts';

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** Returns a scale of round numbers around all values. Bars begin at zero, since readers compare lengths. */
export function axisOf({ kind, series, labels, isStacked }: Chart): Scale {
  const sums = labels.flatMap((_, at) => {
    const values = series.map(({ values: each }) => each[at] ?? 0);
    const sumOf = (sign: number) => values.reduce((sum, value) => (value * sign > 0 ? sum + value : sum), 0);
    return [sumOf(1), sumOf(-1)];
  });
  const all = series.flatMap(({ values }) => values.filter(value => value !== null));
  const shown = kind === 'bar' ? [0, ...(isStacked ? sums : all)] : all;
  const least = Math.min(...(shown.length > 0 ? shown : [0]));
  const most = Math.max(...(shown.length > 0 ? shown : [0]));
  const nearZero = least > 0 && least < most / 2 ? 0 : least;
  return roundScale(nearZero, most);
}

function roundScale(least: number, most: number): Scale {
  const span = most - least || Math.abs(most) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(each => each * power).find(each => each >= rough) ?? rough;
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks };
}
