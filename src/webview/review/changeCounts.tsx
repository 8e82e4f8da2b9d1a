import { describeCounts, describeFileMode } from '../../protocol/changes.ts';
import { plural, t } from '../../protocol/language.ts';
import type { Counts } from '../../protocol/values.ts';

/**
 * Shows `+2 −1`, without an empty side unless both are; for a notebook `2 cells changed`; then `became executable`.
 */
export function ChangeCounts({ added, removed, cells, executable }: Counts) {
  const hasLines = (cells === undefined && executable === undefined) || added + removed > 0;
  return (
    <span class="change-counts">
      {hasLines && (added > 0 || removed === 0) && (
        <span class="added" aria-hidden="true">
          +{added}{' '}
        </span>
      )}
      {hasLines && removed > 0 && (
        <span class="removed" aria-hidden="true">
          −{removed}{' '}
        </span>
      )}
      {cells !== undefined && (
        <span aria-hidden="true">
          {hasLines && '· '}
          {plural(cells, 'one: {0} cell | other: {0} cells')}
          <span class="change-verb"> {t('changed')}</span>
        </span>
      )}
      {executable !== undefined && (
        <span aria-hidden="true">
          {(hasLines || cells !== undefined) && '· '}
          {describeFileMode(executable)}
        </span>
      )}
      <span class="sr-only">{describeCounts({ added, removed, cells, executable })}</span>
    </span>
  );
}
