import { t } from '../../../protocol/language.ts';
import type { PanelCallStatus } from '../../../protocol/panel/panelState.ts';
import type { IconName } from '../../ui/icons.ts';

type CallView = 'pending' | 'running' | 'ok' | 'failed' | 'cancelled';

export const viewWords = (): Readonly<
  Record<CallView, { readonly icon: IconName; readonly word: string }>
> => ({
  pending: { icon: 'circle-outline', word: t('waiting') },
  running: { icon: 'loading', word: t('running') },
  ok: { icon: 'check', word: '' },
  failed: { icon: 'error', word: t('failed') },
  cancelled: { icon: 'circle-slash', word: '' },
});

export function callViewOf(status: PanelCallStatus): CallView {
  switch (status.kind) {
    case 'validating':
    case 'asking':
    case 'scheduled':
      return 'pending';
    case 'running':
      return 'running';
    case 'ended':
      if (status.outcome === 'ok') return isFailedCommand(status) ? 'failed' : 'ok';
      if (status.display.unchanged) return 'ok';
      return status.outcome === 'failed' ? 'failed' : 'cancelled';
  }
}

/** Returns true for a command with a failing exit code, which counts as `ok` for the model. */
export function isFailedCommand({ display }: Extract<PanelCallStatus, { kind: 'ended' }>): boolean {
  return (
    display.detail?.kind === 'command' && display.detail.exitCode !== 0 && display.detail.exitCode !== null
  );
}
