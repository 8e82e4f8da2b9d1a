/*
 * What the page gets of facts that hold more than it shows: the newest chapters with their items and older ones
 * without, until it asks for them; of long texts what it has room for; of a compression no messages. The host's own
 * state stays whole, so that what was left out can be opened. Cutting what is cut already changes nothing.
 */

import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import { emptyPages, iterate, lastItem, pagesOf } from '../../../protocol/pages.ts';
import type { Chapter, Compression, Item, Rewound, SessionState } from '../../../protocol/state.ts';
import { attachmentForPage, displayForPage, itemForPage, itemsForPage } from './itemForPage.ts';

/** How much of a session the page gets at once, beside the chapter that grows. */
export interface PageBounds {
  readonly items: number;
  /** Characters of their JSON. */
  readonly size: number;
}

/** A few screens of work to scroll back through before anything has to be asked for. */
export const pageBounds: PageBounds = { items: 400, size: 500_000 };

export function eventForPage(event: SessionEvent): SessionEvent {
  switch (event.type) {
    case 'compression.proposed':
    case 'compression.applied':
      return { ...event, plan: withoutMessages(event.plan) };
    case 'turn.started':
      return { ...event, attachments: event.attachments.map(attachmentForPage) };
    case 'call.ended':
      return { ...event, display: displayForPage(event.display) };
    default:
      return event;
  }
}

/** @param shown chapters whose items the page has already, so that nothing that is read disappears */
export function stateForPage(
  state: SessionState,
  shown: ReadonlySet<string> = new Set(),
  bounds = pageBounds,
): SessionState {
  const { compression: open, compressions, rewound } = state;
  return {
    ...state,
    chapters: chaptersForPage(state.chapters, shown, bounds),
    ...(open?.status === 'proposed' && { compression: { ...open, plan: withoutMessages(open.plan) } }),
    compressions: compressions.map(inForce),
    ...(rewound && { rewound: rewoundForPage(rewound) }),
  };
}

/**
 * The page cannot fold this event by itself when it has these chapters only: going back brings or takes what it does
 * not have, and what a turn took belongs to a prompt that may be far back.
 * @param state after the event
 */
export function needsSnapshot(event: SessionEvent, state: SessionState, shown: ReadonlySet<string>): boolean {
  if (event.type === 'session.rewound' || event.type === 'rewind.undone') return true;
  if (event.type !== 'turn.ended') return false;
  const prompted = state.chapters.findLastIndex(({ items }) => items.pages.some(page => page.some(isTurn)));
  return state.chapters.slice(Math.max(0, prompted)).some(({ id }) => !shown.has(id));
}

function isTurn(item: Item): boolean {
  return item.type === 'prompt' && !item.steered;
}

function chaptersForPage(
  chapters: readonly Chapter[],
  shown: ReadonlySet<string>,
  bounds: PageBounds,
): readonly Chapter[] {
  let left = bounds;
  return chapters
    .toReversed()
    .map((chapter, fromEnd) => {
      const isDue = fromEnd === 0 || shown.has(chapter.id) || chapter.items.length === 0;
      if (!isDue && chapter.items.length > left.items) {
        left = { items: 0, size: 0 };
        return withoutItems(chapter);
      }
      const items = itemsForPage(chapter);
      const size = JSON.stringify(items).length;
      left = { items: left.items - items.length, size: left.size - size };
      if (isDue || left.size >= 0) return { ...chapter, items: pagesOf(items) };
      left = { items: 0, size: 0 };
      return withoutItems(chapter);
    })
    .toReversed();
}

function withoutItems(chapter: Chapter): Chapter {
  const { length: unloaded } = chapter.items;
  const brokenOff = lastItem(chapter.items)?.type === 'end';
  return { ...chapter, items: emptyPages, unloaded, ...(brokenOff && { brokenOff }) };
}

/** Only what names the place: undoing is answered with a snapshot. */
function rewoundForPage({ to, ...rewound }: Rewound): Rewound {
  const isPoint = (item: Item) => to.kind === 'turn' && item.type === 'prompt' && item.id === to.turnId;
  const pointOf = ({ items }: Chapter) => pagesOf([...iterate(items)].filter(isPoint).map(itemForPage));
  const named = rewound.chapters
    .map(chapter => ({ ...chapter, items: pointOf(chapter) }))
    .filter(({ id, items }) => items.length > 0 || (to.kind === 'chapter' && to.chapterId === id));
  return { ...rewound, to, chapters: named, compressions: rewound.compressions.map(inForce) };
}

function inForce(compression: Compression): Compression {
  return { ...compression, plan: withoutMessages(compression.plan) };
}

function withoutMessages(plan: CompressionPlan): CompressionPlan {
  return { ...plan, replacement: [], cut: [] };
}
