import { t } from '../../protocol/language.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { hasCommandAwaitingInput, newestChapter } from '../../protocol/state.ts';
import { FallbackCard } from '../models/fallbackCard.tsx';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { formatDuration } from '../ui/format.ts';
import { spendingFacts, timeFacts } from '../ui/totals.ts';

/** Current activity of the agent, as the last line. Hidden at rest. */
export function ActivityLine() {
  const { store, act } = usePanel();
  const session = store.session.value;
  if (!session || session.activity.status === 'resting') return null;
  const { activity } = session;
  const now = store.now.value;
  if (activity.status === 'retrying') {
    const left = formatDuration(Math.max(0, activity.until - now));
    return (
      <div class="activity retrying">
        <span class="pulse" aria-hidden="true" />
        <span class="activity-text">
          {t(
            '{0} Retrying in {1} ({2} of {3}).',
            activity.reason,
            left,
            activity.attempt,
            activity.maxAttempts,
          )}
        </span>
        <LinkButton onClick={() => act({ type: 'retry.now' })}>{t('Retry now')}</LinkButton>
      </div>
    );
  }
  if (activity.status === 'choosing')
    return <FallbackCard turnId={activity.turnId} failure={activity.failure} />;
  const waitsFor = describeWait(session);
  return (
    <div class="activity">
      <span class={waitsFor === undefined ? 'pulse' : 'pulse waiting'} aria-hidden="true" />
      <span class="activity-text ellipsis">{waitsFor ?? describeWork(session)}</span>
      <Spent session={session} elapsed={now - activity.since} />
    </div>
  );
}

/** Spending of the turn so far. The time is first, since narrow panels cut the rest. */
function Spent({ session, elapsed }: { readonly session: PanelState; readonly elapsed: number }) {
  const { spending } = session;
  const spent = spending ? spendingFacts(spending) : [];
  const facts = [...timeFacts(elapsed), ...spent.toReversed()];
  return (
    facts.length > 0 && (
      <span class="activity-time">
        {facts.map((fact, index) => (
          <span key={index}>{` · ${fact}`}</span>
        ))}
      </span>
    )
  );
}

function describeWait(session: PanelState): string | undefined {
  const isWaiting = session.activity.status === 'waiting' || hasCommandAwaitingInput(session);
  return isWaiting ? t('Waiting for you') : undefined;
}

function describeWork(session: PanelState): string {
  const { compression } = session;
  // The strip above the prompt shows its time and can cancel it.
  if (compression?.status === 'running' && compression.trigger === 'automatic')
    return t('Waiting for the summary');
  // A running call has its own row.
  const last = newestChapter(session).items.pages.at(-1)?.at(-1);
  if (last?.type === 'thought') return t('Thinking');
  if (last?.type === 'text') return t('Writing');
  return t('Working');
}
