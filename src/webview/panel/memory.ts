/* The memory that the page keeps when VS Code hides it: nothing of the sessions, only how they are looked at. */

import type { Attachment } from '../../protocol/intentions.ts';
import { type Grouping, groupings } from './pending.ts';

/** A person's unfinished answer to a question. */
export interface AnswerDraft {
  /** Labels, or `Yes` or `No`. */
  readonly taken: readonly string[];
  /** Own words; of a choice they count only while they are taken. */
  readonly words: string;
  readonly isOther: boolean;
}

/** How one session is looked at. */
export interface Look {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** Chapters that the person folded (true) or unfolded (false) by hand. */
  readonly folds: Readonly<Record<string, boolean>>;
  /** Cards that the person opened (true) or closed (false) by hand. */
  readonly cards: Readonly<Record<string, boolean>>;
  /** Answers that are not sent yet, by the call that asks. */
  readonly answers: Readonly<Record<string, readonly AnswerDraft[]>>;
  /** Pixels from the top; `undefined` follows the end. */
  readonly scroll?: number | undefined;
}

/** By session, the one that was left last at the end. */
export type Looks = readonly (readonly [string, Look])[];

export interface Memory extends Look {
  /** The session that is looked at; empty when there is none yet. */
  readonly sessionId: string;
  readonly looks: Looks;
  /** How changes to review are grouped, in all sessions; absent: as suits them. */
  readonly grouping?: Grouping | undefined;
}

export const emptyLook: Look = { draft: '', attachments: [], folds: {}, cards: {}, answers: {} };

/** Images above this sum, in characters of base64, are not kept: VS Code serialises the memory on each change. */
const keptImageLimit = 1_000_000;

export function parseMemory(value: unknown): Memory {
  const found = (isRecord(value) ? value : {}) as Partial<Memory>;
  return {
    ...parseLook(found),
    sessionId: typeof found.sessionId === 'string' ? found.sessionId : '',
    grouping: groupings.find(each => each === found.grouping),
    looks: Array.isArray(found.looks) ? found.looks.map(([key, look]) => [key, parseLook(look)]) : [],
  };
}

function parseLook(found: Partial<Look>): Look {
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
export function hasWords({ draft, attachments, answers }: Look): boolean {
  return draft !== '' || attachments.length > 0 || Object.keys(answers).length > 0;
}

/** Without images that would be too much; those of the session that is shown are the last to go. */
export function keepable(memory: Memory): Memory {
  const images = imageSize(memory.attachments);
  const others = memory.looks.reduce((sum, [, { attachments }]) => sum + imageSize(attachments), 0);
  return {
    ...memory,
    attachments: images <= keptImageLimit ? memory.attachments : withoutImages(memory.attachments),
    looks:
      images + others <= keptImageLimit
        ? memory.looks
        : memory.looks.map(([key, look]) => [key, { ...look, attachments: withoutImages(look.attachments) }]),
  };
}

function imageSize(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + (each.kind === 'image' ? each.blob.data.length : 0), 0);
}

function withoutImages(attachments: readonly Attachment[]): readonly Attachment[] {
  return attachments.filter(each => each.kind !== 'image');
}
