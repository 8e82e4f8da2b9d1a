/* The memory that the page keeps when VS Code hides it: nothing of the sessions, only how the user views them. */

import type { Attachment } from '../../protocol/intentions.ts';
import { type Grouping, groupings } from './pending.ts';

/** A user's unfinished answer to a question. */
export interface AnswerDraft {
  /** Labels, or `Yes` or `No`. */
  readonly taken: readonly string[];
  /** Own words; of a choice they count only while they are taken. */
  readonly words: string;
  readonly isOther: boolean;
}

/** How the user left the view of one session. */
export interface View {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** Chapters that the user folded (true) or unfolded (false) by hand. */
  readonly folds: Readonly<Record<string, boolean>>;
  /** Cards that the user opened (true) or closed (false) by hand. */
  readonly cards: Readonly<Record<string, boolean>>;
  /** Answers that are not sent yet, by the call that asks. */
  readonly answers: Readonly<Record<string, readonly AnswerDraft[]>>;
  /** Pixels from the top; `undefined` follows the end. */
  readonly scroll?: number | undefined;
}

/** By session, the one that was left last at the end. */
export type Views = readonly (readonly [string, View])[];

export interface Memory extends View {
  /** The session that is shown; empty when there is none yet. */
  readonly sessionId: string;
  readonly views: Views;
  /** The page's name among those of the window; empty until the host has told it. */
  readonly page: string;
  /** How changes to review are grouped, in all sessions; absent: as suits them. */
  readonly grouping?: Grouping | undefined;
}

export const emptyView: View = { draft: '', attachments: [], folds: {}, cards: {}, answers: {} };

/** Images above this sum, in characters of base64, are not kept: VS Code serialises the memory on each change. */
const keptImageLimit = 1_000_000;

export function parseMemory(value: unknown): Memory {
  const found = (isRecord(value) ? value : {}) as Partial<Memory>;
  return {
    ...parseView(found),
    sessionId: typeof found.sessionId === 'string' ? found.sessionId : '',
    page: typeof found.page === 'string' ? found.page : '',
    grouping: groupings.find(each => each === found.grouping),
    views: Array.isArray(found.views) ? found.views.map(([key, view]) => [key, parseView(view)]) : [],
  };
}

function parseView(found: Partial<View>): View {
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

/** Something that would be missed. */
export function hasWords({ draft, attachments, answers }: View): boolean {
  return draft !== '' || attachments.length > 0 || Object.keys(answers).length > 0;
}

/** Without images that would be too much; those of the session that is shown are the last to go. */
export function keepable(memory: Memory): Memory {
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
