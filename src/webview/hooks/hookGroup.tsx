import type { HookItem } from '../../protocol/state.ts';
import { Card, CardRow } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { hookFacts, hookName, summarizeHooks } from './hookWords.ts';

/** Consecutive hooks without decision or output, as one line. */
export function HookGroup({ id, hooks }: { readonly id: string; readonly hooks: readonly HookItem[] }) {
  const [isOpen, toggle] = useCardOpen(id, false);
  const summary = summarizeHooks(hooks);
  return (
    <Card class="call hook-run" name={summary}>
      <CardRow isOpen={isOpen} toggle={toggle} class="quiet">
        <Icon name="zap" />
        <span class="row-title ellipsis">{summary}</span>
      </CardRow>
      {isOpen && (
        <ul class="run-calls hook-list">
          {hooks.map(hook => (
            <li key={hook.id}>
              {hookName(hook)} <span class="quiet">{hookFacts(hook)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
