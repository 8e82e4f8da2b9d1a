import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { usePanel } from '../panel/panel.ts';
import { Completing } from './completing.ts';

export function useCompletion(field: RefObject<HTMLTextAreaElement | null>): Completing {
  const { store, act } = usePanel();
  const completing = useMemo(() => new Completing(act, () => field.current), [act, field]);
  useSignalEffect(() => {
    if (store.completion.value) completing.tell(store.completion.value);
  });
  useSignalEffect(() => completing.draftChanged(store.draft.value));
  useEffect(() => {
    const follow = () => completing.caretMoved();
    document.addEventListener('selectionchange', follow);
    return () => {
      document.removeEventListener('selectionchange', follow);
      completing.close();
    };
  }, [completing]);
  return completing;
}
