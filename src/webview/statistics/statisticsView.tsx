import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import type { Statistics, StatisticsCounts } from '../../protocol/panel/statistics.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { Button, Picker } from '../ui/controls.tsx';
import { formatCount, formatDuration } from '../ui/format.ts';
import { ListPage } from '../ui/listPage.tsx';
import { formatShare } from '../ui/tokens.ts';
import { BarChart, type StatisticsMeasure } from './barChart.tsx';
import { BarTable, ModelTable, ProjectTable, ToolTable } from './countTables.tsx';
import { costOf } from './names.ts';

/** Statistics of the sessions on this machine: totals, a chart, and tables. */
export function StatisticsView() {
  const { store, act } = usePanel();
  const root = useRef<HTMLElement>(null);
  const days = useSignal(30);
  useEffect(() => act({ type: 'panel.statistics', days: days.value }), [act, days.value]);
  const { statistics, problem } = store.statistics.value ?? {};
  const isStale = store.statistics.value?.days !== days.value;
  const ranges = [
    { value: '7', label: t('7 days') },
    { value: '30', label: t('30 days') },
    { value: '0', label: t('All') },
  ];
  return (
    <ListPage
      title={t('Statistics')}
      rows=".statistics-head .picker, .statistics summary, .statistics-scroll"
      root={root}
    >
      <div class="statistics-head">
        <Picker
          label={t('Time')}
          value={String(days.value)}
          choices={ranges}
          onPick={value => (days.value = Number(value))}
        />
        <Button
          disabled={!statistics || statistics.sessions === 0}
          onPress={() => act({ type: 'statistics.save', days: days.value })}
        >
          {t('Save as CSV…')}
        </Button>
      </div>
      {!statistics && problem === undefined && (
        <p class="list-empty list-loading" role="status">
          {t('Adding up…')}
        </p>
      )}
      {problem !== undefined && (
        <p class="list-empty" role="alert">
          {problem}
        </p>
      )}
      {statistics?.sessions === 0 && (
        <p class="list-empty">
          {days.value === 0 ? t('No sessions with activity yet.') : t('Nothing was done in this time.')}
        </p>
      )}
      {statistics && statistics.sessions > 0 && (
        <div class="statistics" aria-busy={isStale}>
          <Totals statistics={statistics} />
          <Plot statistics={statistics} />
          <ModelTable rows={statistics.models} />
          <ToolTable rows={statistics.tools} />
          <ProjectTable rows={statistics.projects} />
          <Notes statistics={statistics} />
        </div>
      )}
    </ListPage>
  );
}

function Plot({ statistics: { bars, models, totals } }: { readonly statistics: Statistics }) {
  const chosen = useSignal<StatisticsMeasure | undefined>(undefined);
  const measure = chosen.value ?? (totals.cost ? 'cost' : 'tokens');
  const choices: readonly { readonly value: StatisticsMeasure; readonly label: string }[] = [
    { value: 'cost', label: t('Cost') },
    { value: 'tokens', label: t('Tokens') },
    { value: 'requests', label: t('Requests') },
    { value: 'time', label: t('Time at work') },
  ];
  const pick = (value: string) => (chosen.value = choices.find(each => each.value === value)?.value);
  const isByMonth = (bars[0]?.start.length ?? 0) < 10;
  return (
    <section class="statistics-part" aria-label={t('Chart')}>
      <div class="statistics-plot-head">
        <h2>{isByMonth ? t('By month') : t('By day')}</h2>
        <Picker label={t('Value to show')} value={measure} choices={choices} onPick={pick} />
      </div>
      <BarChart bars={bars} models={models} measure={measure} />
      <details>
        <summary>{t('The same as a table')}</summary>
        <BarTable bars={bars} />
      </details>
    </section>
  );
}

function Totals({ statistics: { sessions, totals } }: { readonly statistics: Statistics }) {
  const { prompts = 0, requests = 0, input = 0, cached = 0, output = 0, workMs = 0, waitMs = 0 } = totals;
  const { calls = 0, failed = 0, testsPassed = 0, testsFailed = 0 } = totals;
  const { allowed = 0, always = 0, refused = 0 } = totals;
  const { added = 0, removed = 0, keptAdded = 0, keptRemoved = 0 } = totals;
  return (
    <dl class="statistics-totals">
      <Total name={t('Cost')}>{costOf(totals)}</Total>
      <Total name={t('Sessions')}>
        {formatCount(sessions)}
        <span class="quiet">{` · ${plural(prompts, 'one: {0} prompt | other: {0} prompts')}`}</span>
      </Total>
      <Total name={t('Tokens sent')}>
        {formatCount(input)}
        {input > 0 && <span class="quiet">{` · ${t('{0} cached', formatShare(cached / input))}`}</span>}
      </Total>
      <Total name={t('Tokens written')}>
        {formatCount(output)}
        <span class="quiet">{` · ${plural(requests, 'one: {0} request | other: {0} requests')}`}</span>
      </Total>
      <Total name={t('Time at work')}>{formatDuration(workMs)}</Total>
      <Total name={t('Waited for you')}>{formatDuration(waitMs)}</Total>
      <Total name={t('Calls of tools')}>
        {formatCount(calls)}
        {failed > 0 && <span class="quiet">{` · ${t('{0} failed', formatCount(failed))}`}</span>}
      </Total>
      <Total name={t('Tests')}>
        {testsPassed + testsFailed === 0
          ? t('none')
          : t('{0} passed, {1} failed', formatCount(testsPassed), formatCount(testsFailed))}
      </Total>
      <Total name={t('Asks answered')}>
        {allowed + refused === 0
          ? t('none')
          : t('{0} allowed, {1} denied', formatCount(allowed), formatCount(refused))}
        {always > 0 && <span class="quiet">{` · ${t('{0} for good', formatCount(always))}`}</span>}
      </Total>
      <Total name={t('Decided by rules')}>{rulesOf(totals)}</Total>
      <Total name={t('Lines written')}>
        <ChangeCounts added={added} removed={removed} />
      </Total>
      <Total name={t('Lines you kept')}>
        <ChangeCounts added={keptAdded} removed={keptRemoved} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function rulesOf({ unasked = 0, refusedByRule = 0 }: StatisticsCounts): string {
  return t('{0} ran, {1} denied', formatCount(unasked), formatCount(refusedByRule));
}

function Notes({ statistics: { unreadable } }: { readonly statistics: Statistics }) {
  return (
    <p class="quiet">
      {t('Based on the sessions on this computer that you have not deleted. Nothing is sent.')}
      {unreadable > 0 &&
        ` ${plural(unreadable, 'one: {0} session could not be read and is left out. | other: {0} sessions could not be read and are left out.')}`}
    </p>
  );
}
