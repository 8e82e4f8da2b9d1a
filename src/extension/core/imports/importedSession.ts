import type { ReviewedHunk } from '../../../protocol/changes.ts';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';

/** A session from elsewhere, with all that may come along, whoever wrote it. */
export interface ImportedSession {
  /** Its id there. */
  readonly from: string;
  /** The name of the agent that wrote it, for example `Codex`; absent: Folio did. */
  readonly agent?: string;
  /** Where it was found, in words for the user: a file, an address. */
  readonly place: string;
  /** Empty: it is titled by its first prompt. */
  readonly title: string;
  /** As far as they may stand here, in order. Their numbers are given here. */
  readonly events: readonly EmittedEvent[];
  readonly changes: readonly ImportedChange[];
  /** Changed files whose texts it does not hold. */
  readonly withoutTexts: number;
  /** Lines or entries that were not understood. */
  readonly unreadable: number;
  /** It is longer than was read. */
  readonly isCut: boolean;
}

/** One changed file, with its text before the session and after it. */
export interface ImportedChange {
  /** Relative to a workspace folder, with `/`. */
  readonly name: string;
  /** Index of its workspace folder. */
  readonly folder: number;
  /** `null`: the session made the file. */
  readonly before: string | null;
  readonly after: string;
  readonly hunks: readonly HunkOrigin[];
}

/** The writers of a hunk, and where it stood. The place only serves to recognise it. */
export type HunkOrigin = Pick<
  ReviewedHunk,
  'baseStart' | 'baseCount' | 'start' | 'count' | 'chapterIds' | 'writers'
>;

/** Bytes of a session that is brought in, and characters of one text of a file. */
export const importLimit = 64 * 1024 * 1024;
export const textLimit = 5_000_000;
