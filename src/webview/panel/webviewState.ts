/* State of the page that survives hiding: how the user views sessions, but no session data. */

import type { Attachment } from '../../protocol/intentions.ts';
import { type Grouping, groupings } from './pending.ts';

export interface AnswerDraft {
  /** Chosen labels, or `Yes` or `No`. */
  readonly taken: readonly string[];
  /** Free text. In a choice it counts only while chosen. */
  readonly words: string;
  readonly isOther: boolean;
}

export interface SessionViewState {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** Chapters that the user folded (true) or unfolded (false). */
  readonly folds: Readonly<Record<string, boolean>>;
  /** Cards that the user opened (true) or closed (false). */
  readonly cards: Readonly<Record<string, boolean>>;
  /** Unsent answers by id of the call. */
  readonly answers: Readonly<Record<string, readonly AnswerDraft[]>>;
  /** Scroll position in pixels; `undefined` follows the end. */
  readonly scroll?: number | undefined;
}

/** View states by session, the last used at the end. */
export type SessionViewStates = readonly (readonly [string, SessionViewState])[];

export interface WebviewState extends SessionViewState {
  /** Shown session; empty if none. */
  readonly sessionId: string;
  readonly views: SessionViewStates;
  /** Id of the page in its window; empty until the host has sent it. */
  readonly page: string;
  /** Grouping of pending changes in all sessions. Absent: automatic. */
  readonly grouping?: Grouping | undefined;
}

export const emptyViewState: SessionViewState = {
  draft: '',
  attachments: [],
  folds: {},
  cards: {},
  answers: {},
};

/** Maximum sum of stored images, in characters of Base64. VS Code serialises the memory on each change. */
const keptImageLimit = 1_000_000;

export function parseWebviewState(value: unknown): WebviewState {
  const found = (isRecord(value) ? value : {}) as Partial<WebviewState>;
  return {
    ...parseView(found),
    sessionId: typeof found.sessionId === 'string' ? found.sessionId : '',
    page: typeof found.page === 'string' ? found.page : '',
    grouping: groupings.find(each => each === found.grouping),
    views: Array.isArray(found.views) ? found.views.map(([key, view]) => [key, parseView(view)]) : [],
  };
}

function parseView(found: Partial<SessionViewState>): SessionViewState {
  return {
    draft: typeof found.draft === 'string' ? found.draft : '',
    attachments: Array.isArray(found.attachments) ? found.attachments : [],
    folds: isRecord(found.folds) ? found.folds : {},
    cards: isRecord(found.cards) ? found.cards : {},
    answers: isRecord(found.answers) ? found.answers : {},
    scroll: typeof found.scroll === 'number' ? found.scroll : undefined,
  };
}

function isRecord<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}

/** Returns true if the view has unsent text, attachments or answers. */
export function hasUnsentContent({ draft, attachments, answers }: SessionViewState): boolean {
  return draft !== '' || attachments.length > 0 || Object.keys(answers).length > 0;
}

/** Removes images beyond the limit, those of the shown session last. */
export function withoutExcessImages(memory: WebviewState): WebviewState {
  const images = imageSize(memory.attachments);
  const others = memory.views.reduce((sum, [, { attachments }]) => sum + imageSize(attachments), 0);
  return {
    ...memory,
    attachments: images <= keptImageLimit ? memory.attachments : withoutImages(memory.attachments),
    views:
      images + others <= keptImageLimit
        ? memory.views
        : memory.views.map(([key, view]) => [key, { ...view, attachments: withoutImages(view.attachments) }]),
  };
}

function imageSize(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + (each.kind === 'image' ? each.blob.data.length : 0), 0);
}

function withoutImages(attachments: readonly Attachment[]): readonly Attachment[] {
  return attachments.filter(each => each.kind !== 'image');
}
