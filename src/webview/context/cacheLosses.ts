import type { CacheLoss } from '../../protocol/events.ts';
import { plural, t } from '../../protocol/language.ts';
import type { SessionState } from '../../protocol/state.ts';
import { formatCount, formatDate } from '../ui/format.ts';

const causes = (): Readonly<Record<CacheLoss['by'], string>> => ({
  model: t('another model answered'),
  tools: t('the tools on offer changed'),
  instructions: t('the instructions changed (the mode, memory or skills)'),
  rewritten: t('older messages were compressed, undone or brought back'),
  masked: t('old, long results were removed'),
  provider: t('the provider no longer had it'),
});

/** For example `The provider’s cache was lost twice, last at 14:03: the tools on offer changed. …` */
export function describeCacheLosses({ count, newest }: NonNullable<SessionState['cacheLosses']>): string {
  const time = formatDate(newest.at, { hour: '2-digit', minute: '2-digit' });
  return plural(
    count,
    'one: The provider’s cache was lost once, at {1}: {2}. {3} tokens were read again. | other: The provider’s cache was lost {0} times, last at {1}: {2}. {3} tokens were read again.',
    time,
    causes()[newest.by],
    formatCount(newest.tokens),
  );
}
