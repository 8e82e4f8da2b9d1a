import { t } from '../../../protocol/language.ts';
import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import { isFailedCommand } from './callStatus.ts';

/** `summary` is shown in the call's row; `reason` on its own line, uncut. */
export interface Outcome {
  readonly summary: string;
  readonly reason?: string;
}

/** Characters that fit into a row at any width. */
const shortest = 12;

/** Describes how a call ended. Reasons of failures must not be cut. */
export function outcomeOf({ status, decided, effect }: PanelCall): Outcome {
  if (status.kind !== 'ended') return { summary: '' };
  const { summary, unchanged } = status.display;
  // Below, so that the row has room for the name.
  if (unchanged) return { summary: '', reason: summary };
  if (status.outcome === 'ok') return isFailedCommand(status) ? splitCode(summary) : { summary };
  // Edits are atomic, so nothing was written.
  if (status.outcome === 'failed' && effect === 'edit')
    return { summary: t('Nothing was written'), reason: summary };
  // Not for skipped questions and returned plans, nor for calls that a rule or hook denied without an ask. The host
  // describes these.
  if (status.outcome === 'denied' && effect !== 'note' && decided !== undefined)
    return decided.reason
      ? { summary: '', reason: t('Denied: {0}', decided.reason) }
      : { summary: t('Denied') };
  return summary.length > shortest ? { summary: '', reason: summary } : { summary };
}

/** Splits `Exit code 1, in the sandbox, which …` into the short exit code and its long explanation. */
function splitCode(summary: string): Outcome {
  const at = summary.indexOf(', ');
  if (at < 0) return { summary };
  const reason = summary.slice(at + 2);
  return { summary: summary.slice(0, at), reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` };
}
