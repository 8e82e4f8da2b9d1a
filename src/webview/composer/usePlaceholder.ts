import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { steerKeys } from './sending.ts';

const wide = '(min-width: 340px)';

/** Says what can be typed, in fewer words where the panel is narrow. */
export function usePlaceholder(isWorking: ReadonlySignal<boolean>): string {
  const isWide = useSignal(window.matchMedia(wide).matches);
  useEffect(() => {
    const media = window.matchMedia(wide);
    const follow = () => {
      isWide.value = media.matches;
    };
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [isWide]);
  if (isWorking.value)
    return isWide.value ? `Next prompt…  ${steerKeys} tells it at once` : `Next prompt…  ${steerKeys} steers`;
  return isWide.value ? 'Ask Folio…  @ for context, / for commands' : 'Ask Folio…  @ context, / commands';
}
