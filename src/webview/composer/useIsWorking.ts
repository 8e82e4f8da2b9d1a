import { type ReadonlySignal, useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';

/** Also while it waits for a decision or for the next attempt. */
export function useIsWorking(): ReadonlySignal<boolean> {
  const { store } = usePanel();
  return useComputed(() => (store.session.value?.activity.status ?? 'resting') !== 'resting');
}
