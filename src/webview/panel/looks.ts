/*
 * The person's view of each session: what is folded and unfolded, where it is scrolled to, and what is being written.
 * All of it stays with its session. A text from before the first prompt belongs to none yet: it waits in whichever
 * new session is shown next.
 */

import type { Signal } from '@preact/signals';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { emptyLook, hasWords, type Look, type Looks } from './memory.ts';

/** The look of the session that is shown, and those of the others. */
export type LookSignals = { readonly [Key in keyof Look]-?: Signal<Look[Key]> } & {
  readonly looks: Signal<Looks>;
};

/** Under which its look is kept. */
export function lookKey(session: PanelState): string {
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

export function lookOf(store: LookSignals): Look {
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
export function switchLook(store: LookSignals, from: string, to: string): void {
  const look = store.looks.value.find(([key]) => key === to)?.[1] ?? emptyLook;
  store.looks.value = keepLook(store.looks.value, from, lookOf(store)).filter(([key]) => key !== to);
  store.draft.value = look.draft;
  store.attachments.value = look.attachments;
  store.folds.value = look.folds;
  store.cards.value = look.cards;
  store.answers.value = look.answers;
  store.scroll.value = look.scroll;
}

/** So many sessions are remembered. When there are more, the oldest one without a written text goes. */
const limit = 20;

export function keepLook(looks: Looks, key: string, look: Look): Looks {
  const kept = [...looks.filter(([each]) => each !== key), [key, look] as const];
  if (kept.length <= limit) return kept;
  const unwritten = Math.max(
    kept.findIndex(([, each]) => !hasWords(each)),
    0,
  );
  return kept.filter((_, at) => at !== unwritten);
}
