import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** Maximum milliseconds of a double click. */
const holdMs = 500;

/**
 * Returns true while the shown content is too new to have been seen, so that a press meant for the previous content is
 * ignored. The hold begins with the first render; the caller sets `aria-disabled` and ignores presses.
 * @param shown identifies the shown content
 */
export function useMisclickGuard(shown: string): boolean {
  const seen = useSignal<string | undefined>(undefined);
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      seen.value = shown;
    }, holdMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return seen.value !== shown;
}
