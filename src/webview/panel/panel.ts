import { useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '../../protocol/intentions.ts';
import type { Store } from './store.ts';

/** Everything that components get from above: signals to read, and one way to say what the user wants. */
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

/** The agent of another maker that drives the shown session; `undefined`: Folio's own works. */
export function useDriver(): string | undefined {
  const { store } = usePanel();
  return useComputed(() => store.session.value?.driver?.name).value;
}
