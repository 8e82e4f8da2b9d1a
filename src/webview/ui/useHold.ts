import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** As long as two presses may be one double press. */
const holdMs = 500;

/**
 * Says whether decisions are held back because the shown thing is too new to have been seen. A press that was meant
 * for the thing that stood there a blink ago must not count for the new one. The hold begins with the very render
 * that shows it; the caller marks it with `aria-disabled` and decides nothing meanwhile.
 * @param shown says which thing, or which list of things, is shown
 */
export function useHold(shown: string): boolean {
  const seen = useSignal<string | undefined>(undefined);
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      seen.value = shown;
    }, holdMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return seen.value !== shown;
}
