import { useComputed } from '@preact/signals';
import { plural, t } from '../../protocol/language.ts';
import type { PanelPrompt } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { spendingFactsWithCache } from '../ui/totals.ts';
import { Facts } from '../ui/words.tsx';
import { useModelName, whyRouted } from './modelNames.ts';

/**
 * Facts below a prompt: spending of its turn, and the model if the user did not choose it. The model is only known for
 * the newest turn.
 */
export function TurnFacts({ prompt }: { readonly prompt: PanelPrompt }) {
  const { store } = usePanel();
  const name = useModelName();
  const routed = useComputed(() => {
    const newest = store.session.value?.routed;
    return newest?.turnId === prompt.id && newest.by !== 'choice' ? newest : undefined;
  }).value;
  const { spent } = prompt;
  const isFallback = routed?.by === 'fallback';
  if (!spent && !isFallback) return null;
  const facts = spent
    ? [plural(spent.steps, 'one: {0} step | other: {0} steps'), ...spendingFactsWithCache(spent)]
    : [];
  if (routed && !isFallback) facts.unshift(name(routed.model));
  return (
    <div class="turn-facts quiet">
      {isFallback && <p>{t('{0} took over. {1}', name(routed.model), whyRouted(routed))}</p>}
      {facts.length > 0 && (
        <p title={routed && whyRouted(routed)}>
          <Facts facts={facts} />
        </p>
      )}
    </div>
  );
}
