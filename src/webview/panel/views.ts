/*
 * View state of each session: folds, scroll position and draft. A draft before the first prompt belongs to no session
 * yet; the next new session shows it.
 */

import type { Signal } from '@preact/signals';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import {
  emptyViewState,
  hasUnsentContent,
  type SessionViewState,
  type SessionViewStates,
} from './webviewState.ts';

/** View state of the shown session, and those of the others. */
export type ViewSignals = { readonly [Key in keyof SessionViewState]-?: Signal<SessionViewState[Key]> } & {
  readonly views: Signal<SessionViewStates>;
};

export function viewKey(session: PanelState): string {
  return isUntouched(session) ? newSession : session.sessionId;
}

/** Key of a new session. Not a valid session id. */
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

export function viewOf(store: ViewSignals): SessionViewState {
  return {
    draft: store.draft.value,
    attachments: store.attachments.value,
    folds: store.folds.value,
    cards: store.cards.value,
    answers: store.answers.value,
    scroll: store.scroll.value,
  };
}

/** Stores the view state of one session and restores that of another. */
export function switchView(store: ViewSignals, from: string, to: string): void {
  const view = store.views.value.find(([key]) => key === to)?.[1] ?? emptyViewState;
  store.views.value = saveView(store.views.value, from, viewOf(store)).filter(([key]) => key !== to);
  store.draft.value = view.draft;
  store.attachments.value = view.attachments;
  store.folds.value = view.folds;
  store.cards.value = view.cards;
  store.answers.value = view.answers;
  store.scroll.value = view.scroll;
}

/** Maximum number of stored view states. Beyond it the oldest one without unsent text is dropped. */
const limit = 20;

export function saveView(views: SessionViewStates, key: string, view: SessionViewState): SessionViewStates {
  const kept = [...views.filter(([each]) => each !== key), [key, view] as const];
  if (kept.length <= limit) return kept;
  const unwritten = Math.max(
    kept.findIndex(([, each]) => !hasUnsentContent(each)),
    0,
  );
  return kept.filter((_, at) => at !== unwritten);
}
