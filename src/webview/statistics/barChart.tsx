import { t } from '../../protocol/language.ts';
import type { NamedCounts, StatisticsBar, StatisticsCounts } from '../../protocol/panel/statistics.ts';
import { formatCost, formatCount, formatDate, formatDuration } from '../ui/format.ts';
import { useStatisticsModelName } from './names.ts';

export type StatisticsMeasure = 'cost' | 'tokens' | 'requests' | 'time';

/** Number of models with their own colour and pattern. The others share one. */
const inks = 6;

interface BarChartProps {
  readonly bars: readonly StatisticsBar[];
  /** In stacking order, from the bottom. */
  readonly models: readonly NamedCounts[];
  readonly measure: StatisticsMeasure;
}

/** Bar chart. Hidden from screen readers, since the table says the same. */
export function BarChart({ bars, models, measure }: BarChartProps) {
  const nameOf = useStatisticsModelName();
  const heights = bars.map(bar => bar.models.reduce((sum, { counts }) => sum + heightOf(counts, measure), 0));
  const top = Math.max(0, ...heights);
  const inkOf = (name: string) =>
    Math.min(
      models.findIndex(each => each.name === name),
      inks - 1,
    );
  return (
    <div class="bar-chart" aria-hidden="true">
      <span class="bar-chart-top quiet">{format(top, measure)}</span>
      <div class="bar-chart-bars" dir="ltr">
        {bars.map((bar, index) => (
          <div key={bar.start} class="bar-chart-bar" title={titleOf(bar, heights[index]!, measure, nameOf)}>
            <div style={{ flexGrow: top - heights[index]! }} />
            {bar.models.toReversed().map(({ name, counts }) => (
              <div
                key={name}
                class="bar-ink"
                data-ink={inkOf(name)}
                style={{ flexGrow: heightOf(counts, measure) }}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="bar-chart-ends quiet" dir="ltr">
        <span>{bars[0] && formatStart(bars[0].start)}</span>
        {bars.length > 1 && <span>{formatStart(bars.at(-1)!.start)}</span>}
      </div>
      <ul class="bar-chart-legend">
        {models.slice(0, inks - 1).map(({ name }, ink) => (
          <Ink key={name} ink={ink} name={nameOf(name)} />
        ))}
        {models.length === inks && <Ink ink={inks - 1} name={nameOf(models[inks - 1]!.name)} />}
        {models.length > inks && <Ink ink={inks - 1} name={t('Other models')} />}
      </ul>
    </div>
  );
}

function Ink({ ink, name }: { readonly ink: number; readonly name: string }) {
  return (
    <li>
      <span class="bar-ink" data-ink={ink} />
      <span class="ellipsis">{name}</span>
    </li>
  );
}

/** Formats the day or month of a `StatisticsBar`. */
export function formatStart(start: string): string {
  const isDay = start.length === 10;
  const at = new Date(`${isDay ? start : `${start}-01`}T12:00:00`).getTime();
  return formatDate(at, isDay ? { day: 'numeric', month: 'short' } : { month: 'short', year: 'numeric' });
}

function titleOf(
  { start, models }: StatisticsBar,
  height: number,
  measure: StatisticsMeasure,
  nameOf: (model: string) => string,
): string {
  const lines = models
    .filter(({ counts }) => heightOf(counts, measure) > 0)
    .map(({ name, counts }) => `${nameOf(name)}: ${format(heightOf(counts, measure), measure)}`);
  return [`${formatStart(start)}: ${format(height, measure)}`, ...(lines.length > 1 ? lines : [])].join('\n');
}

function heightOf(
  { cost = 0, input = 0, output = 0, requests = 0, workMs = 0 }: StatisticsCounts,
  measure: StatisticsMeasure,
) {
  switch (measure) {
    case 'cost':
      return cost;
    case 'tokens':
      return input + output;
    case 'requests':
      return requests;
    case 'time':
      return workMs;
  }
}

function format(value: number, measure: StatisticsMeasure): string {
  if (measure === 'cost') return formatCost(value);
  return measure === 'time' ? formatDuration(value) : formatCount(value);
}
