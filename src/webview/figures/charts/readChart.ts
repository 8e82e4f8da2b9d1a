import { t } from '../../../protocol/language.ts';
import { FigureError } from '../drawing/drawing.ts';

export interface Series {
  readonly name: string;
  /** One value for each label, or `null`. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly kind: 'bar' | 'line' | 'pie';
  readonly title: string;
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly isStacked: boolean;
}

const mostLabels = 100;
export const maxSeries = 6;
const longestText = 80;
/** Maximum value, so that sums and differences stay exact enough to draw. */
const largest = 1e15;

/** Reads `{"kind":"bar","labels":["a"],"series":[{"name":"x","values":[1]}]}`, or a Mermaid pie. */
export function readChart(source: string): Chart {
  if (/^\s*pie\b/.test(source)) return readPie(source);
  const { kind = 'bar', title, unit, labels, series, stacked } = objectIn(source);
  if (kind !== 'bar' && kind !== 'line' && kind !== 'pie')
    throw new FigureError(t('“kind” of the chart must be bar, line or pie.'));
  if (!Array.isArray(labels) || labels.length === 0)
    throw new FigureError(t('The chart lacks “labels”, a list of texts.'));
  if (!Array.isArray(series) || series.length === 0)
    throw new FigureError(t('The chart lacks “series”, a list of objects with “name” and “values”.'));
  if (labels.length > mostLabels || series.length > maxSeries)
    throw new FigureError(t('A chart shows at most {0} labels and {1} series.', mostLabels, maxSeries));
  const chart = {
    kind,
    title: textOf(title),
    unit: textOf(unit),
    labels: labels.map(textOf),
    series: series.map((each: unknown, at) => readSeries(each, at, labels.length)),
    isStacked: stacked === true,
  } as const;
  if (kind === 'pie' && chart.series[0]!.values.some(value => (value ?? 0) < 0))
    throw new FigureError(t('A pie has no negative values.'));
  return chart;
}

function objectIn(source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw new FigureError(t('The chart is not valid JSON: {0}', (error as Error).message));
  }
  throw new FigureError(t('The chart is not a JSON object.'));
}

function readSeries(series: unknown, at: number, count: number): Series {
  const { name = '', values } =
    typeof series === 'object' && series !== null ? (series as Record<string, unknown>) : {};
  if (!Array.isArray(values) || !values.every(isValue))
    throw new FigureError(t('“values” of series {0} must be a list of numbers.', at + 1));
  if (values.length !== count)
    throw new FigureError(t('Series {0} has {1} values for {2} labels.', at + 1, values.length, count));
  return { name: textOf(name), values };
}

function isValue(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Math.abs(value) <= largest);
}

function readPie(source: string): Chart {
  const lines = source
    .split('\n')
    .map(line => line.trim())
    .filter(line => line && !line.startsWith('%%'));
  const title =
    lines.map(line => /^(?:pie\s+(?:showData\s+)?)?title\s+(.+)$/.exec(line)?.[1]).find(Boolean) ?? '';
  const slices = lines.flatMap(line => {
    const [, label, value] = /^"([^"]*)"\s*:\s*(\d+(?:\.\d+)?)$/.exec(line) ?? [];
    return label === undefined ? [] : [{ label: textOf(label), value: Number(value) }];
  });
  const read = slices.length + lines.filter(line => /^(?:pie\b|showData$|title\b|acc)/.test(line)).length;
  if (slices.length === 0 || slices.length > mostLabels || read < lines.length)
    throw new FigureError(t('A pie needs lines like "Label" : 12'));
  return {
    kind: 'pie',
    title: textOf(title),
    unit: '',
    labels: slices.map(({ label }) => label),
    series: [{ name: '', values: slices.map(({ value }) => value) }],
    isStacked: false,
  };
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return Array.from(text).slice(0, longestText).join('');
}
