import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Moves the focus when the focused row unmounts: to `preferred` if present, to the row in its place, or to the last.
 * Calls `onEmpty` if no row is left. Rows may be nested; the innermost counts. It compares the page during each render,
 * which still shows the old rows, with the page after it.
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
