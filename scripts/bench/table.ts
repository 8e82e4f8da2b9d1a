import { type Measurement, median, ratioOf, verdict } from './statistics.ts';

const headings = ['what', 'who', 'median', 'least – most', 'runs', 'ratio', 'limit'];

export function formatTable(measurements: readonly Measurement[]): string {
  const blocks: string[] = [];
  for (const benchmark of new Set(measurements.map(one => one.benchmark))) {
    const rows = measurements.filter(one => one.benchmark === benchmark).map(one => row(one, measurements));
    blocks.push(`${benchmark}\n${align([headings, ...rows])}`);
  }
  return blocks.join('\n\n');
}

/** Returns measurements with ratios and limits, for scripts. */
export function toJson(measurements: readonly Measurement[]): unknown {
  return measurements.map(one => ({
    ...one,
    median: median(one.samples),
    ratio: ratioOf(one, measurements),
    verdict: verdict(one, measurements),
  }));
}

function row(one: Measurement, all: readonly Measurement[]): string[] {
  const ratio = ratioOf(one, all);
  return [
    one.what,
    one.who,
    `${figure(median(one.samples))} ${one.unit}`,
    one.samples.length > 1 ? `${figure(Math.min(...one.samples))} – ${figure(Math.max(...one.samples))}` : '',
    String(one.samples.length),
    ratio === undefined ? '' : `${ratio.toFixed(2)} × ${one.against}`,
    limitText(one, all),
  ];
}

function limitText(one: Measurement, all: readonly Measurement[]): string {
  if (one.limit === undefined) return '';
  const bound =
    one.limit.kind === 'ratio' ? `${one.limit.atMost} ×` : `${figure(one.limit.atMost)} ${one.unit}`;
  return verdict(one, all) === 'broken' ? `${bound}  BROKEN` : bound;
}

function figure(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = headings.map((_, column) => Math.max(...rows.map(cells => cells[column]!.length)));
  return rows
    .map(cells => `  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd())
    .join('\n');
}
