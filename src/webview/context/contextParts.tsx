import { t } from '../../protocol/language.ts';
import type { ContextBreakdown } from '../../protocol/panel/context.ts';
import { formatCount } from '../ui/format.ts';
import { formatShare } from '../ui/tokens.ts';
import type { ContextRow } from './contextRows.ts';

/** Bar of the parts. Hidden from screen readers, since the list below says the same. */
export function ContextBar(props: { readonly rows: readonly ContextRow[]; readonly threshold: number }) {
  const { rows, threshold } = props;
  return (
    <div class="context-bar-frame" aria-hidden="true">
      <div class="context-bar">
        {rows
          .filter(row => row.share > 0)
          .map(row => (
            <span
              key={row.key}
              class="context-part"
              data-kind={row.kind}
              style={{ flexGrow: row.share }}
              title={row.name}
            />
          ))}
      </div>
      {compressesAutomatically(threshold) && (
        <span class="context-threshold" style={{ left: `${threshold * 100}%` }} />
      )}
    </div>
  );
}

export function ContextList({ rows }: { readonly rows: readonly ContextRow[] }) {
  return (
    <ul class="context-list" aria-label={t('What fills the context')}>
      {rows.map(row => (
        <li key={row.key} class="context-row">
          <span class="context-part" data-kind={row.kind} aria-hidden="true" />
          <span>{row.name}</span>
          <span class="context-tokens">
            {formatCount(row.tokens)}
            <span class="sr-only">{` ${t('tokens')}, `}</span>
          </span>
          <span class="context-share quiet">{formatShare(row.share)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Notes on the source of the numbers and on automatic compression. */
export function ContextNotes({ counted, threshold, limit }: ContextBreakdown) {
  return (
    <p class="quiet">
      {counted ? t('Total from the provider; the parts are estimates.') : t('All numbers are estimated.')}
      {compressesAutomatically(threshold) &&
        ` ${t('Auto-compresses at {0} ({1}).', formatShare(threshold), formatCount(Math.round(limit * threshold)))}`}
    </p>
  );
}

function compressesAutomatically(threshold: number): boolean {
  return threshold > 0 && threshold < 1;
}
