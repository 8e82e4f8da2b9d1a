import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { plural } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';

/** Average height of an item in pixels. */
export const itemHeight = 25;

/** Distance at which items are requested before they become visible. */
const ahead = '1200px 0px';

interface UnloadedProps {
  readonly chapter: PanelChapter;
  readonly count: number;
  readonly folded: boolean;
}

/** Placeholder of about the height of items that are not loaded. */
export function UnloadedItems({ chapter: { id: chapterId }, count, folded }: UnloadedProps) {
  const { act } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const load = () => act({ type: 'items.load', of: chapterId });
  useEffect(() => {
    const element = button.current!;
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) load();
      },
      { root: element.closest('.transcript'), rootMargin: ahead },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [chapterId]);
  useHandedOnFocus(button);
  // A folded chapter shows only what the user said.
  const height = folded ? 1 : Math.min(count, 192) * itemHeight;
  return (
    <button
      type="button"
      class="earlier unloaded"
      ref={button}
      data-card={folded ? undefined : ''}
      tabIndex={folded ? -1 : 0}
      style={{ height: `${height}px` }}
      onClick={load}
    >
      {!folded && plural(count, 'one: Loading {0} entry | other: Loading {0} entries')}
    </button>
  );
}

/** Moves the focus to the chapter's heading when items replace the focused placeholder. */
function useHandedOnFocus(button: { readonly current: HTMLButtonElement | null }): void {
  useLayoutEffect(() => {
    const element = button.current!;
    const section = element.closest('section');
    return () => {
      if (document.activeElement !== element) return;
      section?.querySelector<HTMLElement>('[data-chapter-heading]')?.focus({ preventScroll: true });
    };
  }, []);
}
