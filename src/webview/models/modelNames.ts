/* Which model is meant, and why. */

import { t } from '../../protocol/language.ts';
import type { ModelChoice } from '../../protocol/panel/messages.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { autoModel, type RoutedBy } from '../../protocol/routing.ts';
import type { Routed } from '../../protocol/state.ts';
import { usePanel } from '../panel/panel.ts';

/** By its label; one that is not listed has only its id. */
export function nameModel(id: string, models: readonly ModelChoice[] | undefined): string {
  return models?.find(each => each.id === id)?.label ?? id;
}

export function useModelName(): (id: string) => string {
  const { store } = usePanel();
  const models = store.surroundings.value?.models;
  return id => nameModel(id, models);
}

/** The model whose limit counts now. */
export function workingModel(state: PanelState): string {
  const { model, routed, activity } = state;
  const isLive = activity.status !== 'resting' && activity.turnId === routed?.turnId;
  return (isLive ? routed?.model : autoRouted(state)?.model) ?? model;
}

/** The model that Auto chose for the newest turn. A turn from before Auto was chosen says nothing about it. */
export function autoRouted({ model, routed }: PanelState): Routed | undefined {
  return model === autoModel && routed?.by !== 'choice' ? routed : undefined;
}

export function whyRouted({ by, reason }: Routed): string {
  return reason ?? reasons()[by];
}

const reasons = (): Readonly<Record<RoutedBy, string>> => ({
  choice: t('You chose it.'),
  mode: t('The strong model plans, the fast one carries out.'),
  classifier: t('A fast model judged how hard the prompt is.'),
  fallback: t('The model of before is not available.'),
  default: t('Nothing spoke for another one.'),
});
