import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const wide = '(min-width: 340px)';

/** Says what can be typed, in fewer words where the panel is narrow. */
export function usePlaceholder(): string {
  const isWide = useSignal(window.matchMedia(wide).matches);
  useEffect(() => {
    const media = window.matchMedia(wide);
    const follow = () => {
      isWide.value = media.matches;
    };
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [isWide]);
  return isWide.value ? 'Ask Folio…  @ for context, / for commands' : 'Ask Folio…  @ context, / commands';
}
