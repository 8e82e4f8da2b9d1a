/*
 * The user's view of each session: what is folded and unfolded, where it is scrolled to, and what is being written.
 * All of it stays with its session. A text from before the first prompt belongs to none yet: it waits in whichever
 * new session is shown next.
 */

import type { Signal } from '@preact/signals';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { emptyView, hasWords, type View, type Views } from './memory.ts';

/** The look of the session that is shown, and those of the others. */
export type ViewSignals = { readonly [Key in keyof View]-?: Signal<View[Key]> } & {
  readonly views: Signal<Views>;
};

/** Under which its look is kept. */
export function viewKey(session: PanelState): string {
  return isUntouched(session) ? newSession : session.sessionId;
}

/** No id of a session. */
const newSession = 'new';

function isUntouched({ title, chapters }: PanelState): boolean {
  return (
    title === '' &&
    chapters.every(
      ({ items, unloaded }) =>
        !unloaded && items.pages.every(page => page.every(each => each.type !== 'prompt')),
    )
  );
}

export function viewOf(store: ViewSignals): View {
  return {
    draft: store.draft.value,
    attachments: store.attachments.value,
    folds: store.folds.value,
    cards: store.cards.value,
    answers: store.answers.value,
    scroll: store.scroll.value,
  };
}

/** Puts the look of one session away and shows that of another as it was left. */
export function switchView(store: ViewSignals, from: string, to: string): void {
  const view = store.views.value.find(([key]) => key === to)?.[1] ?? emptyView;
  store.views.value = saveView(store.views.value, from, viewOf(store)).filter(([key]) => key !== to);
  store.draft.value = view.draft;
  store.attachments.value = view.attachments;
  store.folds.value = view.folds;
  store.cards.value = view.cards;
  store.answers.value = view.answers;
  store.scroll.value = view.scroll;
}

/** So many sessions are remembered. When there are more, the oldest one without a written text goes. */
const limit = 20;

export function saveView(views: Views, key: string, view: View): Views {
  const kept = [...views.filter(([each]) => each !== key), [key, view] as const];
  if (kept.length <= limit) return kept;
  const unwritten = Math.max(
    kept.findIndex(([, each]) => !hasWords(each)),
    0,
  );
  return kept.filter((_, at) => at !== unwritten);
}
