import { t } from '../../protocol/language.ts';
import type { StatisticsCounts } from '../../protocol/panel/statistics.ts';
import { usePanel } from '../panel/panel.ts';
import { formatCost } from '../ui/format.ts';

/** Returns a function that names models as the picker does, and an empty id `unknown`. */
export function useStatisticsModelName(): (model: string) => string {
  const models = usePanel().store.environment.value?.models ?? [];
  return model => models.find(({ id }) => id === model)?.label ?? (model || t('unknown'));
}

export function costOf({ cost, unpriced = 0 }: StatisticsCounts): string {
  if (cost === undefined) return unpriced > 0 ? t('price unknown') : formatCost(0);
  return unpriced > 0 ? t('at least {0}', formatCost(cost)) : formatCost(cost);
}
