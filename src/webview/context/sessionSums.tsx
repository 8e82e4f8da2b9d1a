import { useComputed } from '@preact/signals';
import { usePanel } from '../panel.ts';
import { formatCost, formatCount } from '../ui/format.ts';

/** What the whole session has used so far. */
export function SessionSums() {
  const { store } = usePanel();
  const usage = useComputed(() => store.session.value?.usage).value;
  const cost = useComputed(() => store.session.value?.cost).value;
  const rows: readonly (readonly [string, string])[] = [
    ['Sent, whole session', formatCount(usage?.prompt ?? 0)],
    ['of these from cache', formatCount(usage?.cached ?? 0)],
    ['Answered', formatCount(usage?.output ?? 0)],
    ['Thought', formatCount(usage?.thoughts ?? 0)],
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
