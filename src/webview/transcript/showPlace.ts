import type { TranscriptPlace } from '../../protocol/panel/messages.ts';
import { liveChapter } from '../../protocol/state.ts';
import type { Store } from '../panel/store.ts';

/** Unfolds the chapter, scrolls to the place and gives it the focus. A call that asks is in the last one. */
export function showPlace(store: Store, place: TranscriptPlace): void {
  const session = store.session.peek();
  if (!session) return;
  const chapterId = place.kind === 'chapter' ? place.id : liveChapter(session).id;
  store.folds.value = { ...store.folds.peek(), [chapterId]: false };
  requestAnimationFrame(() => {
    if (place.kind === 'chapter') showChapter(chapterId);
    else showAsk(place.id);
  });
}

function showChapter(id: string): void {
  const section = document.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(id)}"]`);
  section?.scrollIntoView({ block: 'start' });
  // The view must know before it grows with what is unfolded, or it would follow the end once more.
  section?.closest('.transcript')?.dispatchEvent(new Event('scroll'));
  section?.querySelector<HTMLElement>('[data-chapter-heading]')?.focus({ preventScroll: true });
}

function showAsk(callId: string): void {
  const card = document.querySelector<HTMLElement>(`[data-ask="${CSS.escape(callId)}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
