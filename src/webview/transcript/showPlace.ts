import type { TranscriptPlace } from '../../protocol/panel/messages.ts';
import { newestChapter } from '../../protocol/state.ts';
import type { Store } from '../panel/store.ts';

/** Leaves the page alone, which would stay a few pixels too high. Chromium's types lack the member; older ones ignore it. */
const toStart: ScrollIntoViewOptions & { readonly container: 'nearest' } = {
  block: 'start',
  container: 'nearest',
};

/** Reveals and focuses a place, and unfolds its chapter. A call that asks is in the last one. */
export function showPlace(store: Store, place: TranscriptPlace): void {
  const session = store.session.peek();
  if (!session) return;
  const chapterId = place.kind === 'chapter' ? place.id : newestChapter(session).id;
  store.folds.value = { ...store.folds.peek(), [chapterId]: false };
  requestAnimationFrame(() => {
    if (place.kind === 'chapter') showChapter(chapterId);
    else showAsk(place.id);
  });
}

function showChapter(id: string): void {
  const section = document.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(id)}"]`);
  section?.scrollIntoView(toStart);
  // Notifies the view before it grows, or it would follow the end again.
  section?.closest('.transcript')?.dispatchEvent(new Event('scroll'));
  section?.querySelector<HTMLElement>('[data-chapter-heading]')?.focus({ preventScroll: true });
}

function showAsk(callId: string): void {
  const card = document.querySelector<HTMLElement>(`[data-ask="${CSS.escape(callId)}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
