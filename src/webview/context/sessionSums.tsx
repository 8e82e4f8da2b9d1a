import { useComputed } from '@preact/signals';
import { noUsage } from '../../protocol/state.ts';
import { usePanel } from '../panel/panel.ts';
import { formatCost, formatCount } from '../ui/format.ts';
import { formatShare } from '../ui/tokens.ts';

/** What the whole session has used so far. */
export function SessionSums() {
  const { store } = usePanel();
  const usage = useComputed(() => store.session.value?.usage ?? noUsage).value;
  const { prompt, cached, output, thoughts } = usage;
  const cost = useComputed(() => store.session.value?.cost).value;
  const rows: readonly (readonly [string, string])[] = [
    ['Sent, whole session', formatCount(prompt)],
    ['of these from cache', prompt > 0 ? `${formatCount(cached)} (${formatShare(cached / prompt)})` : '0'],
    ['Answered', formatCount(output)],
    ['Thought', formatCount(thoughts)],
    ...(cost === undefined ? [] : [['Cost', formatCost(cost)] as const]),
  ];
  return (
    <dl class="context-sums">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
