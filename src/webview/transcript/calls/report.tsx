/*
 * Report of a subagent: texts as Markdown, files as links, checked places folded, the rest as lists by key.
 */

import { escapeInvisibleText } from '../../../extension/base/hiddenText.ts';
import { plural, t } from '../../../protocol/language.ts';
import {
  formatReportValue,
  labelOfKey,
  nonEmptyEntries,
  type ReportedPlace,
  reportedPlaceOf,
  soleText,
} from '../../../protocol/panel/reports.ts';
import type { SubagentReport } from '../../../protocol/values.ts';
import { usePanel } from '../../panel/panel.ts';
import { usePathLabels } from '../../panel/pathLabels.ts';
import { FileName } from '../../review/fileName.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useCardOpen } from '../../ui/useCardOpen.ts';
import { AnswerText } from '../answer/answer.tsx';
import { linkIntention } from '../answer/links.ts';

interface ReportProps {
  readonly callId: string;
  readonly report: SubagentReport;
}

/** Maximum number of list entries shown. The editor has all. */
const listed = 50;

/** Maximum depth of nested lists. Deeper values are shown as plain data. */
const deepest = 3;

export function AgentReport({ callId, report }: ReportProps) {
  const { act } = usePanel();
  const only = soleText(report);
  if (only !== undefined) return <AnswerText text={only} />;
  const entries = nonEmptyEntries(report);
  if (entries.length === 0) return <p class="quiet">{t('The report is empty.')}</p>;
  return (
    <div class="agent-report">
      {entries.map(([key, value]) => (
        <Entry key={key} id={`${callId} ${key}`} name={key} value={value} />
      ))}
      {entries.some(([, value]) => isCut(value)) && (
        <LinkButton onClick={() => act({ type: 'output.open', callId })}>
          {t('Show all in editor')}
        </LinkButton>
      )}
    </div>
  );
}

function Entry({ id, name, value }: { readonly id: string; readonly name: string; readonly value: unknown }) {
  if (name === 'SummaryOfFindings' && typeof value === 'string') return <AnswerText text={value} />;
  if (name === 'ExplorationTrace' && typeof value === 'object' && value !== null)
    return <Folded id={id} name={name} value={value} />;
  return (
    <div>
      <p class="agent-report-key bold">{escapeInvisibleText(labelOfKey(name))}</p>
      <Value value={value} depth={0} />
    </div>
  );
}

function Folded({ id, name, value }: { readonly id: string; readonly name: string; readonly value: object }) {
  const [isOpen, toggle] = useCardOpen(id, false);
  return (
    <div>
      <button type="button" class="row quiet agent-report-trace" aria-expanded={isOpen} onClick={toggle}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />
        <span class="ellipsis">
          {labelOfKey(name)}, {plural(nonEmptyEntries(value).length, 'one: {0} entry | other: {0} entries')}
        </span>
      </button>
      {isOpen && <Value value={value} depth={0} />}
    </div>
  );
}

function Value({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  const place = reportedPlaceOf(value);
  if (place) return <Place place={place} />;
  if (typeof value === 'string') return <AnswerText text={value} />;
  if (typeof value !== 'object' || value === null || depth === deepest)
    return <code>{escapeInvisibleText(formatReportValue(value))}</code>;
  const entries = nonEmptyEntries(value);
  const isList = Array.isArray(value);
  return (
    <ul class="agent-report-list">
      {entries.slice(0, listed).map(([key, each]) => (
        <li key={key}>
          {!isList && <span class="quiet">{escapeInvisibleText(labelOfKey(key))}: </span>}
          <Value value={each} depth={depth + 1} />
        </li>
      ))}
      {entries.length > listed && (
        <li class="quiet">{plural(entries.length - listed, 'one: {0} more | other: {0} more')}</li>
      )}
    </ul>
  );
}

function Place({ place: { path, why, symbols } }: { readonly place: ReportedPlace }) {
  const { act } = usePanel();
  const labels = usePathLabels();
  // A range opens at its first line.
  const target = linkIntention(path.replace(/(:\d+)-\d+$/, '$1'));
  const shown = escapeInvisibleText(path);
  return (
    <>
      <div class="agent-place">
        {target?.type === 'file.open' && shown === path ? (
          <button type="button" class="row agent-place-file" onClick={() => act(target)}>
            <Icon name="file" class="quiet" />
            <FileName path={labels.written(path)} />
          </button>
        ) : (
          <span>{shown}</span>
        )}
        {symbols.slice(0, listed).map((symbol, index) => (
          <code key={index}>{escapeInvisibleText(symbol)}</code>
        ))}
      </div>
      {why && <AnswerText text={why} />}
    </>
  );
}

function isCut(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === deepest) return false;
  const values = Object.values(value);
  return values.length > listed || values.some(each => isCut(each, depth + 1));
}
