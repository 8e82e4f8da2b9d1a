import { type ReadonlySignal, useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';

/** True while a turn runs, waits for a decision or for a retry. */
export function useIsWorking(): ReadonlySignal<boolean> {
  const { store } = usePanel();
  return useComputed(() => (store.session.value?.activity.status ?? 'resting') !== 'resting');
}
