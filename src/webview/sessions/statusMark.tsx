import { t } from '../../protocol/language.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { OpenStatus } from '../../protocol/panel/sessions.ts';
import { awaitsInput } from '../../protocol/state.ts';

export const statusWords = (): Readonly<Record<OpenStatus, string>> => ({
  waiting: t('Waiting for you'),
  working: t('Working'),
  resting: t('Is open'),
});

export function StatusMark({ status }: { readonly status: OpenStatus }) {
  return (
    <>
      <span class={`pulse ${status}`} title={statusWords()[status]} aria-hidden="true" />
      <span class="sr-only">{statusWords()[status]}: </span>
    </>
  );
}

/** The status of the shown session; the host tells those of the others only. */
export function statusOf(state: PanelState): OpenStatus {
  const { status } = state.activity;
  if (status === 'resting') return 'resting';
  return status === 'waiting' || status === 'choosing' || awaitsInput(state) ? 'waiting' : 'working';
}
