import type { RewindPoint } from '../../protocol/intentions.ts';
import { usePanel } from '../panel/panel.ts';
import type { Rewinding } from '../panel/store.ts';

/** Opens what asks before going back, and has the host check what it would do. */
export function useRewind(): (to: RewindPoint, purpose: Rewinding['purpose']) => void {
  const { store, act } = usePanel();
  return (to, purpose) => {
    store.rewinding.value = { to, purpose };
    act({ type: 'rewind.preview', to });
  };
}
