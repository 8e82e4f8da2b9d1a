import { t } from '../../../protocol/language.ts';
import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import { isFailedCommand } from './callStatus.ts';

/** `summary` stands in the call's row; `reason` has a line of its own, where nothing of it is cut. */
export interface Outcome {
  readonly summary: string;
  readonly reason?: string;
}

/** This many characters fit into a row at any width. */
const shortest = 12;

/** How a call ended, in words. Why it did not do its work must be read whole. */
export function outcomeOf({ status, decided, effect }: PanelCall): Outcome {
  if (status.kind !== 'ended') return { summary: '' };
  const { summary } = status.display;
  if (status.outcome === 'ok') return isFailedCommand(status) ? splitCode(summary) : { summary };
  // Proposals are written whole or not at all.
  if (status.outcome === 'failed' && effect === 'edit')
    return { summary: t('Nothing was written'), reason: summary };
  // A user who skips a question or sends a plan back has denied nothing, and nobody was asked about a call that a
  // rule or a hook denied: the host says what happened.
  if (status.outcome === 'denied' && effect !== 'note' && decided !== undefined)
    return decided.reason
      ? { summary: '', reason: t('Denied: {0}', decided.reason) }
      : { summary: t('Denied') };
  return summary.length > shortest ? { summary: '', reason: summary } : { summary };
}

/** The exit code fits into the row, and what came with it may be long: `Exit code 1, in the sandbox, which …`. */
function splitCode(summary: string): Outcome {
  const at = summary.indexOf(', ');
  if (at < 0) return { summary };
  const reason = summary.slice(at + 2);
  return { summary: summary.slice(0, at), reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` };
}
