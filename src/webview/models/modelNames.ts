import { t } from '../../protocol/language.ts';
import type { ModelChoice } from '../../protocol/panel/messages.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { effectiveModel, runningTurnModel } from '../../protocol/routes.ts';
import type { Routed, RoutedBy } from '../../protocol/routing.ts';
import { usePanel } from '../panel/panel.ts';

/** Returns the label of a model, or its id if not listed. */
export function modelLabel(id: string, models: readonly ModelChoice[] | undefined): string {
  return models?.find(each => each.id === id)?.label ?? id;
}

export function useModelName(): (id: string) => string {
  const { store } = usePanel();
  const models = store.environment.value?.models;
  return id => modelLabel(id, models);
}

/** Returns the model whose limit applies now. */
export function currentModel(state: PanelState): string {
  return runningTurnModel(state) ?? effectiveModel(state) ?? state.model;
}

export function whyRouted({ by, reason }: Routed): string {
  return reason ?? reasons()[by];
}

const reasons = (): Readonly<Record<RoutedBy, string>> => ({
  choice: t('You chose it.'),
  mode: t('The strong model plans, and the fast model carries out the plan.'),
  classifier: t('A fast model rated how hard the prompt is.'),
  fallback: t('Your previous model is not available.'),
  default: t('Default choice.'),
});
