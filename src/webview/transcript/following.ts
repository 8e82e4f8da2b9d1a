/*
 * Follows the end of the transcript. Once the user scrolls up the view stays, and a button says that there is more
 * below.
 */

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { Store } from '../panel/store.ts';

interface Following {
  /** Scrolling element. */
  readonly view: RefObject<HTMLDivElement | null>;
  /** Growing element. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isFollowing: ReadonlySignal<boolean>;
  /** True if new items are below the view. */
  readonly hasNews: ReadonlySignal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** Distance to the end that counts as the end, in pixels. */
const slack = 24;

export function useAutoScroll(store: Store): Following {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useSignal(store.scroll.peek() === undefined);
  const hasNews = useSignal(false);
  const lastTop = useRef(0);
  const firstTop = useRef(store.scroll.peek());

  const toEnd = () => {
    isFollowing.value = true;
    hasNews.value = false;
    store.scroll.value = undefined;
    view.current?.scrollTo({ top: view.current.scrollHeight });
  };

  const onScroll = () => {
    const element = view.current;
    if (!element) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    // Any move upward stops following, however small: smooth scrolling begins slowly, and new content must not undo it.
    // Growing or shrinking content causes no such move.
    if (element.scrollTop < lastTop.current && below >= 1) isFollowing.value = false;
    else if (below < slack) isFollowing.value = true;
    lastTop.current = element.scrollTop;
    if (isFollowing.value) hasNews.value = false;
    store.scroll.value = isFollowing.value ? undefined : element.scrollTop;
  };

  useLayoutEffect(() => {
    const top = store.scroll.peek() ?? (isTranscriptEmpty(store.session.peek()) ? 0 : undefined);
    if (view.current) view.current.scrollTop = top ?? view.current.scrollHeight;
  }, [store]);

  useLayoutEffect(() => {
    if (!content.current || !view.current) return;
    let height = content.current.offsetHeight;
    let seen = store.session.peek();
    const observer = new ResizeObserver(() => {
      const next = content.current?.offsetHeight ?? 0;
      // Unfolding also grows the content, but nothing is new.
      const hasCome = store.session.peek() !== seen;
      // The view stays while a rewind dialog is open, which grows as its files arrive.
      const staysPut = isTranscriptEmpty(store.session.peek()) || store.rewinding.peek() !== undefined;
      if (isFollowing.peek() && !staysPut && view.current) {
        view.current.scrollTo({ top: view.current.scrollHeight });
        lastTop.current = view.current.scrollTop;
      } else if (next > height && hasCome) hasNews.value = true;
      // Only now the answers have their full height.
      if (firstTop.current !== undefined) view.current?.scrollTo({ top: firstTop.current });
      firstTop.current = undefined;
      height = next;
      seen = store.session.peek();
    });
    observer.observe(content.current);
    observer.observe(view.current);
    return () => observer.disconnect();
  }, [store, isFollowing, hasNews]);

  return { view, content, isFollowing, hasNews, onScroll, toEnd };
}

/** Returns true for an empty transcript, which is shown from its top. */
export function isTranscriptEmpty(session: PanelState | undefined): boolean {
  return session?.chapters.length === 1 && session.chapters[0]?.items.length === 0;
}
