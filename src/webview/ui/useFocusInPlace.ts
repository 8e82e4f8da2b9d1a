import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * A row that goes takes the focus with it. The one that comes into its place gets it then, or the last; where none
 * is left, `onEmpty` says where to. `preferred`: a row that gets it before that one, if it is there. Rows may stand in rows: the innermost counts. It runs with each drawing of the
 * component: while that is computed the page still shows what was there before.
 */
export function useFocusInPlace(
  frame: RefObject<HTMLElement | null>,
  rowSelector: string,
  onEmpty: () => void,
  preferred?: () => HTMLElement | undefined,
): void {
  const rows = () => [...(frame.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
  const active = document.activeElement;
  const had = frame.current?.contains(active) ?? false;
  const at = had ? rows().findLastIndex(row => row.contains(active)) : 0;
  useLayoutEffect(() => {
    if (!had || document.activeElement !== document.body) return;
    const left = rows();
    const row = preferred?.() ?? left[Math.min(Math.max(at, 0), left.length - 1)];
    if (row?.hasAttribute('tabindex')) row.focus();
    else if (row) row.querySelector<HTMLElement>('button, textarea')?.focus();
    else onEmpty();
  });
}
