/*
 * Following the end. The view sticks to the end while it is there; once the user scrolls up it stays where it
 * is, and a pill says that there is more below.
 */

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import type { Store } from '../panel/store.ts';

interface Following {
  /** The element that scrolls. */
  readonly view: RefObject<HTMLDivElement | null>;
  /** The element whose height grows. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isFollowing: ReadonlySignal<boolean>;
  /** Something came below what is seen. */
  readonly hasNews: ReadonlySignal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** So near to the end counts as the end, in pixels. */
const slack = 24;

export function useFollowing(store: Store): Following {
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
    // Any move upward ends the following, however small: a wheel scrolls smoothly, and content that comes meanwhile
    // must not take it back. Content that grows or shrinks leaves the end behind, or stays at it, without such a move.
    if (element.scrollTop < lastTop.current && below >= 1) isFollowing.value = false;
    else if (below < slack) isFollowing.value = true;
    lastTop.current = element.scrollTop;
    if (isFollowing.value) hasNews.value = false;
    store.scroll.value = isFollowing.value ? undefined : element.scrollTop;
  };

  useLayoutEffect(() => {
    const top = store.scroll.peek() ?? (isBlank(store.session.peek()) ? 0 : undefined);
    if (view.current) view.current.scrollTop = top ?? view.current.scrollHeight;
  }, [store]);

  useLayoutEffect(() => {
    if (!content.current || !view.current) return;
    let height = content.current.offsetHeight;
    let seen = store.session.peek();
    const observer = new ResizeObserver(() => {
      const next = content.current?.offsetHeight ?? 0;
      // A chapter that the user unfolds grows too, but nothing has come.
      const hasCome = store.session.peek() !== seen;
      // A user who is asked what to rewind reads the question, which grows as its files come.
      const staysPut = isBlank(store.session.peek()) || store.rewinding.peek() !== undefined;
      if (isFollowing.peek() && !staysPut && view.current) {
        view.current.scrollTo({ top: view.current.scrollHeight });
        lastTop.current = view.current.scrollTop;
      } else if (next > height && hasCome) hasNews.value = true;
      // Only now the answers stand with all of their height.
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

/** An empty transcript is read from its top, also while it grows. */
export function isBlank(session: PanelState | undefined): boolean {
  return session?.chapters.length === 1 && session.chapters[0]?.items.length === 0;
}
