import type { RewindTarget } from '../../protocol/intentions.ts';
import { usePanel } from '../panel/panel.ts';
import type { Rewinding } from '../panel/store.ts';

/** Returns a function that opens the rewind dialog and requests a preview. */
export function useRewind(): (to: RewindTarget, purpose: Rewinding['purpose']) => void {
  const { store, act } = usePanel();
  return (to, purpose) => {
    store.rewinding.value = { to, purpose };
    act({ type: 'rewind.preview', to });
  };
}
