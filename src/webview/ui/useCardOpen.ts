import { useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';

/** Returns whether a card is open: as the user set it, otherwise `automatically`. */
export function useCardOpen(
  id: string,
  automatically: boolean,
): readonly [isOpen: boolean, toggle: () => void] {
  const { store } = usePanel();
  const chosen = useComputed(() => store.cards.value[id]).value;
  const isOpen = chosen ?? automatically;
  const toggle = () => (store.cards.value = { ...store.cards.value, [id]: !isOpen });
  return [isOpen, toggle];
}
