import { t } from '../../protocol/language.ts';
import type { NamedCounts, StatisticsBar, StatisticsCounts } from '../../protocol/panel/statistics.ts';
import { formatCount, formatDuration } from '../ui/format.ts';
import { formatStart } from './barChart.tsx';
import { costOf, useStatisticsModelName } from './names.ts';

interface Cell {
  readonly name: string;
  readonly of: (counts: StatisticsCounts) => string;
}

interface NamedRow {
  readonly key: string;
  readonly name: string;
  /** Tooltip, if the name is shortened. */
  readonly title: string;
  readonly counts: StatisticsCounts;
}

interface TableProps {
  readonly title?: string;
  readonly first: string;
  readonly cells: readonly Cell[];
  readonly rows: readonly NamedRow[];
}

interface RowsProps {
  readonly rows: readonly NamedCounts[];
}

const cost = (): Cell => ({ name: t('Cost'), of: costOf });
const tokens = (): Cell => ({
  name: t('Tokens'),
  of: ({ input = 0, output = 0 }) => formatCount(input + output),
});
const time = (): Cell => ({ name: t('Time'), of: ({ workMs = 0 }) => formatDuration(workMs) });

export function ModelTable({ rows }: RowsProps) {
  const nameOf = useStatisticsModelName();
  const named = rows.map(({ name, counts }) => ({ key: name, name: nameOf(name), title: name, counts }));
  const cells = [cost(), tokens(), time()];
  return <CountTable title={t('By model')} first={t('Model')} cells={cells} rows={named} />;
}

export function ProjectTable({ rows }: RowsProps) {
  const named = rows.map(({ name, counts }) => {
    const [folder = ''] = name.split(/[\\/]/).filter(Boolean).slice(-1);
    return { key: name, name: folder || t('no folder'), title: name, counts };
  });
  const cells = [cost(), tokens(), time()];
  return <CountTable title={t('By project')} first={t('Project')} cells={cells} rows={named} />;
}

export function ToolTable({ rows }: RowsProps) {
  const cells: readonly Cell[] = [
    { name: t('Calls'), of: ({ calls = 0 }) => formatCount(calls) },
    { name: t('Failed'), of: ({ failed = 0 }) => formatCount(failed) },
    { name: t('Denied'), of: ({ refused = 0, refusedByRule = 0 }) => formatCount(refused + refusedByRule) },
    { name: t('Time'), of: ({ callMs = 0 }) => formatDuration(callMs) },
  ];
  const named = rows.map(({ name, counts }) => ({ key: name, name, title: name, counts }));
  return <CountTable title={t('By tool')} first={t('Tool')} cells={cells} rows={named} />;
}

/** Table of the bars, newest first, without empty ones. */
export function BarTable({ bars }: { readonly bars: readonly StatisticsBar[] }) {
  const nameOf = useStatisticsModelName();
  const rows = bars.toReversed().flatMap(({ start, models }) =>
    models.map(({ name, counts }) => ({
      key: `${start} ${name}`,
      name: `${formatStart(start)}, ${nameOf(name)}`,
      title: `${start} ${name}`,
      counts,
    })),
  );
  const cells = [cost(), tokens(), time()];
  return <CountTable first={t('When and model')} cells={cells} rows={rows} />;
}

function CountTable({ title, first, cells, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <div class="statistics-part">
      {title !== undefined && <h2>{title}</h2>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="statistics-scroll" aria-label={title ?? first} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {cells.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, title: whole, counts }) => (
              <tr key={key}>
                <th scope="row" class="ellipsis" title={whole}>
                  {name}
                </th>
                {cells.map(cell => (
                  <td key={cell.name}>{cell.of(counts)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
