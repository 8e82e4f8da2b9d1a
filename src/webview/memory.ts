/* What the page keeps for itself when VS Code hides it: nothing of the session, only how it is looked at. */

import type { Attachment } from '../protocol/events.ts';
import type { AnswerDraft } from './approval/answers.ts';

export interface Memory {
  /** Folds, cards and scroll belong to this session and are dropped for another. */
  readonly sessionId: string;
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** Chapters that the person folded (true) or unfolded (false) by hand. */
  readonly folds: Readonly<Record<string, boolean>>;
  /** Cards that the person opened (true) or closed (false) by hand. */
  readonly cards: Readonly<Record<string, boolean>>;
  /** Answers that are not sent yet, by the call that asks. */
  readonly answers: Readonly<Record<string, readonly AnswerDraft[]>>;
  /** Pixels from the top; `undefined` follows the end. */
  readonly scroll?: number;
}

export const emptyMemory: Memory = {
  sessionId: '',
  draft: '',
  attachments: [],
  folds: {},
  cards: {},
  answers: {},
};

/** Images above this sum, in characters of base64, are not kept: VS Code serialises the memory on each change. */
const keptImageLimit = 1_000_000;

export function parseMemory(value: unknown): Memory {
  if (typeof value !== 'object' || value === null) return emptyMemory;
  const found = value as Partial<Memory>;
  return {
    sessionId: typeof found.sessionId === 'string' ? found.sessionId : '',
    draft: typeof found.draft === 'string' ? found.draft : '',
    attachments: Array.isArray(found.attachments) ? found.attachments : [],
    folds: typeof found.folds === 'object' ? found.folds : {},
    cards: typeof found.cards === 'object' ? found.cards : {},
    answers: typeof found.answers === 'object' ? found.answers : {},
    scroll: typeof found.scroll === 'number' ? found.scroll : undefined,
  };
}

export function keepableAttachments(attachments: readonly Attachment[]): readonly Attachment[] {
  const size = attachments.reduce(
    (sum, each) => sum + (each.kind === 'image' ? each.blob.data.length : 0),
    0,
  );
  return size <= keptImageLimit ? attachments : attachments.filter(each => each.kind !== 'image');
}
