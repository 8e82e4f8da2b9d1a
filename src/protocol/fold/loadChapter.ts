import { pagesOf } from '../pages.ts';
import type { Item, SessionState } from '../state.ts';

/** The state with the items of a chapter that came without them; the same one when it has them or is not there. */
export function loadChapter(state: SessionState, chapterId: string, items: readonly Item[]): SessionState {
  const at = state.chapters.findIndex(({ id, unloaded }) => id === chapterId && unloaded !== undefined);
  if (at < 0) return state;
  const { unloaded, brokenOff, ...chapter } = state.chapters[at]!;
  return { ...state, chapters: state.chapters.with(at, { ...chapter, items: pagesOf(items) }) };
}
