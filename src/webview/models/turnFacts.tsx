import { useComputed } from '@preact/signals';
import { plural, t } from '../../protocol/language.ts';
import type { PanelPrompt } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { spentInFull } from '../ui/totals.ts';
import { Facts } from '../ui/words.tsx';
import { useModelName, whyRouted } from './modelNames.ts';

/**
 * The quiet end of a prompt: who answered where the user did not choose it, and what its turn took. Only of the
 * newest turn it is known who answered.
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
  const facts = spent ? [plural(spent.steps, 'one: {0} step | other: {0} steps'), ...spentInFull(spent)] : [];
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
