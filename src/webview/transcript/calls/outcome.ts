import type { PanelCall } from '../../../protocol/panelState.ts';

/** `summary` stands in the call's row; `reason` has a line of its own, where nothing of it is cut. */
export interface Outcome {
  readonly summary: string;
  readonly reason?: string;
}

/** What fits into a row at any width. */
const shortest = 12;

/** How a call ended, in words. Why it did not do its work must be read whole. */
export function outcomeOf({ status, decided, effect }: PanelCall): Outcome {
  if (status.kind !== 'ended') return { summary: '' };
  const { summary } = status.display;
  if (status.outcome === 'ok') return { summary };
  // Proposals are written whole or not at all.
  if (status.outcome === 'failed' && effect === 'edit')
    return { summary: 'Nothing was written', reason: summary };
  // Who skips a question or sends a plan back has denied nothing, and what a rule or a hook denied nobody was asked
  // about: the host says what happened.
  if (status.outcome === 'denied' && effect !== 'note' && decided !== undefined)
    return decided.reason ? { summary: '', reason: `Denied: ${decided.reason}` } : { summary: 'Denied' };
  return summary.length > shortest ? { summary: '', reason: summary } : { summary };
}
