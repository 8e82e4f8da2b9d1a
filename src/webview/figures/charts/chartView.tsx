import { languageTag, t } from '../../../protocol/language.ts';
import { shortened } from '../../../protocol/words/cutText.ts';
import type { Drawing } from '../drawing/drawing.ts';
import { textMeasurer } from '../drawing/text.ts';
import { HatchedBar, type LegendEntry, LegendView, placeLegend } from './legend.tsx';
import { type Chart, maxSeries, readChart } from './readChart.ts';

/** Plot area, right of the axis and above the labels. */
interface Field {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly scale: Scale;
}

const plotHeight = 160;

/** @param room available width in pixels */
export function drawChart(source: string, room: number): Drawing {
  const chart = readChart(source);
  const measure = textMeasurer();
  const width = Math.min(Math.max(room - 18, 220), 640);
  const head = chart.title ? 26 : 8;
  const named = namesOf(chart);
  const legend = placeLegend(named, width, measure);
  const some = [...chart.labels.slice(0, 8), ...(chart.labels.length > 8 ? ['…'] : [])].join(', ');
  const name = chart.title ? t('Chart “{0}”: {1}', chart.title, some) : t('Chart: {0}', some);
  const title = chart.title && (
    <text class="figure-text figure-title" x={width / 2} y={13}>
      {chart.title}
    </text>
  );
  const body = head + plotHeight + (chart.kind === 'pie' ? 12 : 28);
  if (chart.kind === 'pie') {
    const pie = { x: width / 2, y: head + plotHeight / 2, radius: plotHeight / 2 };
    const view = (
      <>
        {title}
        <PieView values={chart.series[0]!.values} {...pie} />
        <LegendView legend={legend} top={body} />
      </>
    );
    return { name, width, height: body + legend.height, view };
  }
  const scale = axisOf(chart);
  const left = Math.max(...scale.ticks.map(tick => measure(formatValue(tick, chart.unit)))) + 10;
  const field = { left, right: width - 6, top: head, bottom: head + plotHeight, scale };
  const view = (
    <>
      {title}
      <Axis field={field} unit={chart.unit} />
      <Labels field={field} labels={chart.labels} measure={measure} />
      {chart.kind === 'bar' ? <Bars field={field} chart={chart} /> : <Curves field={field} chart={chart} />}
      {named.length > 1 && <LegendView legend={legend} top={body} />}
    </>
  );
  return { name, width, height: body + (named.length > 1 ? legend.height : 0), view };
}

/** Returns the names for the legend: slices of a pie, or series. */
function namesOf({ kind, labels, series, unit }: Chart): readonly LegendEntry[] {
  if (kind !== 'pie') return series.map(({ name }, ink) => ({ ink, text: name || t('Series {0}', ink + 1) }));
  const { values } = series[0]!;
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return labels.map((label, at) => {
    const value = values[at] ?? 0;
    const share = (total > 0 ? value / total : 0).toLocaleString(languageTag(), {
      style: 'percent',
      maximumFractionDigits: 1,
    });
    return { ink: at % maxSeries, text: `${label}: ${formatValue(value, unit)} (${share})` };
  });
}

function Axis({ field, unit }: { readonly field: Field; readonly unit: string }) {
  return (
    <>
      {field.scale.ticks.map(tick => {
        const y = yOf(field, tick);
        return (
          <g key={tick}>
            <path
              class={tick === 0 ? 'figure-line' : 'figure-grid'}
              d={`M ${field.left} ${y} H ${field.right}`}
            />
            <text class="figure-text figure-quiet figure-before" x={field.left - 6} y={y}>
              {formatValue(tick, unit)}
            </text>
          </g>
        );
      })}
    </>
  );
}

interface LabelsProps {
  readonly field: Field;
  readonly labels: readonly string[];
  readonly measure: (text: string) => number;
}

/** Labels below the plot. If space is short, only every n-th. */
function Labels({ field, labels, measure }: LabelsProps) {
  const step = (field.right - field.left) / labels.length;
  const short = labels.map(label => shortened(label, 16));
  const widest = Math.max(...short.map(measure)) + 8;
  const every = Math.max(1, Math.ceil(widest / step));
  return (
    <>
      {short.map((label, at) =>
        at % every === 0 ? (
          <text
            key={at}
            class="figure-text figure-quiet"
            x={xOf(field, at, labels.length)}
            y={field.bottom + 14}
          >
            {label}
          </text>
        ) : null,
      )}
    </>
  );
}

interface PlotProps {
  readonly field: Field;
  readonly chart: Chart;
}

function Bars({ field, chart: { labels, series, isStacked, unit } }: PlotProps) {
  const step = (field.right - field.left) / labels.length;
  const room = Math.min(step * 0.8, 96);
  const thick = isStacked ? room : room / series.length;
  return (
    <>
      {labels.map((label, at) => {
        const heights = { up: 0, down: 0 };
        const begin = field.left + step * at + (step - room) / 2;
        return series.map(({ name, values }, ink) => {
          const value = values[at];
          if (value === null || value === undefined) return null;
          const side = value < 0 ? 'down' : 'up';
          const base = isStacked ? heights[side] : 0;
          heights[side] += value;
          const [from, to] = [yOf(field, base), yOf(field, base + value)];
          return (
            <HatchedBar
              key={`${at} ${ink}`}
              ink={ink}
              title={`${label}${name ? `, ${name}` : ''}: ${formatValue(value, unit)}`}
              x={begin + (isStacked ? 0 : ink * thick)}
              y={Math.min(from, to)}
              width={Math.max(thick - 1, 1)}
              height={Math.max(Math.abs(to - from), 0.5)}
            />
          );
        });
      })}
    </>
  );
}

function Curves({ field, chart: { labels, series, unit } }: PlotProps) {
  return (
    <>
      {series.map(({ name, values }, ink) => {
        const points = values.flatMap((value, at) =>
          value === null ? [] : [{ at, value, x: xOf(field, at, labels.length), y: yOf(field, value) }],
        );
        const path = points.map(
          ({ at, x, y }, index) => `${points[index - 1]?.at === at - 1 ? 'L' : 'M'} ${x} ${y}`,
        );
        return (
          <g key={ink}>
            <path class="figure-curve" data-ink={ink} d={path.join(' ')} />
            {points.map(({ at, value, x, y }) => (
              <circle
                key={at}
                class="figure-ink"
                data-ink={ink}
                cx={x}
                cy={y}
                r={points.length > 40 ? 1.5 : 3}
              >
                <title>{`${labels[at]}${name ? `, ${name}` : ''}: ${formatValue(value, unit)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </>
  );
}

function xOf({ left, right }: Field, at: number, count: number): number {
  return left + ((right - left) * (at + 0.5)) / count;
}

function yOf({ top, bottom, scale: { low, high } }: Field, value: number): number {
  return bottom - ((value - low) / (high - low)) * (bottom - top);
}

function formatValue(value: number, unit: string): string {
  const notation = Math.abs(value) >= 10_000 ? 'compact' : 'standard';
  const digits = value.toLocaleString(languageTag(), { notation, maximumSignificantDigits: 4 });
  return unit.length === 1 && unit === '%' ? `${digits} %` : [digits, unit].filter(Boolean).join(' ');
}

interface Scale {
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

interface PieViewProps {
  readonly values: readonly (number | null)[];
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Slices from the top, clockwise. The legend names them. */
function PieView({ values, x, y, radius }: PieViewProps) {
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
          return <circle key={at} class="figure-ink" data-ink={at % maxSeries} cx={x} cy={y} r={radius} />;
        const begin = pointAt(from);
        const end = pointAt(turned);
        const arc = `A ${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${end}`;
        return (
          <path
            key={at}
            class="figure-ink figure-slice"
            data-ink={at % maxSeries}
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
