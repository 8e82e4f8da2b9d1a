import { useEffect } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { LazyModule } from '../panel/lazyModule.ts';

/** Loaded on demand, since few users open it. */
const view = new LazyModule(() => import('./statisticsView.tsx'));

export function StatisticsPage() {
  useEffect(() => void view.load(), []);
  if (!view.present) return <p class="list-empty list-loading">{t('Adding up…')}</p>;
  const { StatisticsView } = view.present;
  return <StatisticsView />;
}
