import type { CallItem, CallStatus } from '../../../protocol/state.ts';
import { AskCard } from '../../approval/askCard.tsx';
import { DiffCard } from '../../review/diffCard.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { memo } from '../../ui/memo.ts';
import { useCard } from '../../ui/useCard.ts';
import { Aftermath } from './aftermath.tsx';
import { CallDetail, hasDetail, isAnswered } from './callDetail.tsx';
import { outcomeOf } from './outcome.ts';

/** One line until it matters: an ask, a diff and running or failed commands show more by themselves. */
export const CallRow = memo(function CallRow({ call }: { readonly call: CallItem }) {
  const { status } = call;
  if (status.kind === 'asking') return <AskCard call={call} ask={status.ask} />;
  if (status.kind === 'ended' && status.outcome === 'ok' && status.display.detail?.kind === 'diff')
    return <DiffCard call={call} diff={status.display.detail.diff} />;
  return <CallCard call={call} />;
});

function CallCard({ call }: { readonly call: CallItem }) {
  const { status } = call;
  const [isOpen, toggle] = useCard(call.id, showsByItself(call));
  const { summary, reason } = outcomeOf(call);
  const { icon, word } = statusWords[lookOf(status)];
  const name = [call.title, word, summary, reason].filter(Boolean).join(', ');
  const canOpen = hasDetail(call);
  return (
    <Card class={`call ${lookOf(status)}`} name={name}>
      <button
        type="button"
        class="row"
        data-toggle
        aria-expanded={canOpen ? isOpen : undefined}
        disabled={!canOpen}
        title={call.title}
        onClick={toggle}
      >
        <Icon name={icon} class={icon === 'loading' ? 'spin' : 'row-status'} />
        <span class="row-title ellipsis">{call.title}</span>
        {summary && (
          <span class="row-summary ellipsis" title={summary}>
            {summary}
          </span>
        )}
        {canOpen && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />}
      </button>
      {isOpen && canOpen && <CallDetail call={call} />}
      {status.kind === 'ended' && <Aftermath call={call} status={status} />}
    </Card>
  );
}

type Look = 'pending' | 'running' | 'ok' | 'failed' | 'cancelled';

const statusWords: Readonly<Record<Look, { readonly icon: IconName; readonly word: string }>> = {
  pending: { icon: 'circle-outline', word: 'waiting' },
  running: { icon: 'loading', word: 'running' },
  ok: { icon: 'check', word: '' },
  failed: { icon: 'error', word: 'failed' },
  cancelled: { icon: 'circle-slash', word: '' },
};

function lookOf(status: CallStatus): Look {
  switch (status.kind) {
    case 'validating':
    case 'asking':
    case 'scheduled':
      return 'pending';
    case 'running':
      return 'running';
    case 'ended':
      if (status.outcome === 'ok') return isFailedCommand(status) ? 'failed' : 'ok';
      return status.outcome === 'failed' ? 'failed' : 'cancelled';
  }
}

function showsByItself(call: CallItem): boolean {
  const { status, effect } = call;
  if (isAnswered(call)) return true;
  if (status.kind === 'running') return effect === 'run';
  return status.kind === 'ended' && status.outcome !== 'cancelled' && isFailedCommand(status);
}

/** To the model such a call went well, to a person it did not. */
function isFailedCommand({ display }: Extract<CallStatus, { kind: 'ended' }>): boolean {
  return (
    display.detail?.kind === 'command' && display.detail.exitCode !== 0 && display.detail.exitCode !== null
  );
}
