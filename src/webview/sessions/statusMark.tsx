import type { PanelState } from '../../protocol/panelState.ts';
import type { OpenStatus } from '../../protocol/sessions.ts';

export const statusWords: Readonly<Record<OpenStatus, string>> = {
  waiting: 'Waiting for you',
  working: 'Working',
  resting: 'Open',
};

export function StatusMark({ status }: { readonly status: OpenStatus }) {
  return (
    <>
      <span class={`pulse ${status}`} title={statusWords[status]} aria-hidden="true" />
      <span class="sr-only">{statusWords[status]}: </span>
    </>
  );
}

/** Of the session that is shown; the host tells it of the others only. */
export function statusOf({ activity: { status } }: PanelState): OpenStatus {
  if (status === 'resting') return 'resting';
  return status === 'waiting' || status === 'choosing' ? 'waiting' : 'working';
}
