import type { CacheLoss } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/state.ts';
import { formatCount } from '../ui/format.ts';

const causes: Readonly<Record<CacheLoss['by'], string>> = {
  model: 'another model answered',
  tools: 'the tools on offer changed',
  instructions: 'the instructions changed (the mode, memory or skills)',
  rewritten: 'older messages were compressed, taken back or brought back',
  masked: 'old, long results were left out',
  provider: 'the provider had it no longer',
};

/** `The provider’s cache was lost twice, last at 14:03: the tools on offer changed. 45,000 tokens were read anew.` */
export function describeCacheLosses({ count, newest }: NonNullable<SessionState['cacheLosses']>): string {
  const time = new Date(newest.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const times = count === 1 ? `once, at ${time}` : `${count} times, last at ${time}`;
  return `The provider’s cache was lost ${times}: ${causes[newest.by]}. ${formatCount(newest.tokens)} tokens were read anew.`;
}
