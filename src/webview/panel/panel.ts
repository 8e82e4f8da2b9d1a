import { useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '../../protocol/intentions.ts';
import type { Store } from './store.ts';

/** Context of all components: signals to read, and `act` to send intentions. */
export interface Panel {
  readonly store: Store;
  readonly act: (intention: ToHost) => void;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('A component of the panel stands outside of PanelContext.');
  return panel;
}

/** Returns the external agent of the shown session; `undefined` for Folio's own. */
export function useDriver(): string | undefined {
  const { store } = usePanel();
  return useComputed(() => store.session.value?.driver?.name).value;
}
