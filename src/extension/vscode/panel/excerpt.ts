/*
 * Cuts a session for a page: the newest chapters with items; older ones and work of subagents without, until the page
 * asks for them; long texts as far as there is room; compressions without messages. The host's state stays complete, so
 * that missing parts can be loaded.
 */

import {
  emptyPagedList,
  iterate,
  lastItem,
  type PagedList,
  pagedListOf,
} from '../../../protocol/pagedList.ts';
import type {
  PanelAgent,
  PanelChapter,
  PanelItem,
  PanelPlan,
  PanelRewound,
  PanelState,
} from '../../../protocol/panel/panelState.ts';
import {
  type CallItem,
  type Chapter,
  type Compression,
  type Item,
  newestChapter,
  type OpenCompression,
  type Rewound,
  type SessionState,
} from '../../../protocol/state.ts';
import { cutItem } from './cutItem.ts';

/** Amount of a session that the page gets at once, besides the current chapter. */
export interface ExcerptLimits {
  readonly items: number;
  /** Characters of their JSON. */
  readonly size: number;
}

/** Enough for a few screens of scrolling before anything must be loaded. */
export const defaultExcerptLimits: ExcerptLimits = { items: 400, size: 500_000 };

/**
 * The excerpt of one session for one page. The same input object always gives the same excerpt object, so that
 * comparing two excerpts costs only what changed.
 */
export class Excerpt {
  /**
   * Chapters, and calls of subagents, whose items the page has: the initial ones, those it asked for, and those it has
   * seen growing. They stay listed after a rewind, which may be undone.
   */
  private readonly opened = new Set<string>();
  private readonly items = new WeakMap<Item, PanelItem>();
  private pages = new WeakMap<readonly Item[], readonly PanelItem[]>();
  private chapters = new WeakMap<Chapter, PanelChapter>();

  constructor({ chapters }: SessionState, bounds = defaultExcerptLimits) {
    let { items, size } = bounds;
    for (const chapter of chapters.toReversed()) {
      const isGrowing = chapter === chapters.at(-1);
      items -= chapter.items.length;
      if (items < 0 && !isGrowing) return;
      size -= JSON.stringify(this.pagesOf(chapter.items)).length;
      if (size < 0 && !isGrowing) return;
      this.opened.add(chapter.id);
    }
  }

  /** Includes the items of this chapter, or of the subagent that this call started, from now on. */
  open(id: string): void {
    if (this.opened.has(id)) return;
    this.opened.add(id);
    this.pages = new WeakMap();
    this.chapters = new WeakMap();
  }

  of(state: SessionState): PanelState {
    this.open(newestChapter(state).id);
    return this.stateOf(state, ({ id }) => this.opened.has(id));
  }

  private stateOf(state: SessionState, hasItems: (chapter: Chapter) => boolean): PanelState {
    const { seq, answering, newestStep, comments, chapters, compression, ...shown } = state;
    const { compressions, rewound, shelved, ...rest } = shown;
    return {
      ...rest,
      openComments: comments.filter(({ status }) => status === 'open').length,
      chapters: chapters.map(chapter =>
        remembered(this.chapters, chapter, () =>
          hasItems(chapter) ? { ...chapter, items: this.pagesOf(chapter.items) } : withoutItems(chapter),
        ),
      ),
      compression: compression && withoutMessages(compression),
      compressions: compressions.map(withoutMessages),
      rewound: rewound && rewoundOf(rewound),
    };
  }

  private pagesOf({ length, pages }: PagedList<Item>): PagedList<PanelItem> {
    const itemOf = (item: Item) => this.itemOf(item);
    return { length, pages: pages.map(page => remembered(this.pages, page, () => page.map(itemOf))) };
  }

  private itemOf(item: Item): PanelItem {
    if (item.type !== 'call' || !item.agent) return remembered(this.items, item, () => cutItem(item));
    return { ...cutItem(item), agent: this.agentOf(item, item.agent) };
  }

  private agentOf({ id, status }: CallItem, { name, session }: NonNullable<CallItem['agent']>): PanelAgent {
    if (status.kind !== 'ended') this.opened.add(id);
    const { compressions, ...shown } = this.stateOf(session, () => this.opened.has(id));
    // The summary of a compression is for the model. The chapter shows that there was one.
    return { name, steps: stepsOf(session), session: { ...shown, compressions: [] } };
  }
}

function remembered<K extends object, V>(made: WeakMap<K, V>, of: K, make: () => V): V {
  const known = made.get(of) ?? make();
  made.set(of, known);
  return known;
}

function withoutItems(chapter: Chapter): PanelChapter {
  const { length: unloaded } = chapter.items;
  if (unloaded === 0) return { ...chapter, items: emptyPagedList };
  const brokenOff = lastItem(chapter.items)?.type === 'end' || undefined;
  return { ...chapter, items: emptyPagedList, unloaded, brokenOff };
}

function stepsOf(session: SessionState): number {
  const prompt = [...iterate(newestChapter(session).items)].find(item => item.type === 'prompt');
  return (prompt?.spent?.steps ?? 0) + (session.spending?.steps ?? 0);
}

function withoutMessages<C extends Compression | OpenCompression>(compression: C) {
  if (!('plan' in compression)) return compression;
  const { snapshot, parts, tokens } = compression.plan;
  const plan: PanelPlan = { snapshot, parts, tokens };
  return { ...compression, plan };
}

function rewoundOf({ rewindId, to, scope, files, chapters }: Rewound): PanelRewound {
  const isPoint = (item: Item) =>
    (to.kind === 'turn' && item.type === 'prompt' && item.id === to.turnId) ||
    (to.kind === 'call' && item.type === 'call' && item.id === to.callId);
  const named = chapters
    .map(chapter => ({
      ...chapter,
      items: pagedListOf([...iterate(chapter.items)].filter(isPoint).map(cutItem)),
    }))
    .filter(({ id, items }) => items.length > 0 || (to.kind === 'chapter' && to.chapterId === id));
  return { rewindId, to, scope, files, chapters: named };
}
