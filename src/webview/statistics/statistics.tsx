import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../protocol/language.ts';

type View = typeof import('./statisticsView.tsx');

const loaded = signal<View | undefined>(undefined);
const view: ReadonlySignal<View | undefined> = loaded;

/** Few open it, so its code comes when it is first shown. */
export function StatisticsPage() {
  useEffect(() => {
    void import('./statisticsView.tsx').then(module => {
      loaded.value = module;
    });
  }, []);
  if (!view.value) return <p class="list-empty list-loading">{t('Adding up…')}</p>;
  const { StatisticsView } = view.value;
  return <StatisticsView />;
}
