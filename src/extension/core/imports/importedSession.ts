import type { ReviewedHunk } from '../../../protocol/changes.ts';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';

/** An imported session with all its contents, whoever wrote it. */
export interface ImportedSession {
  /** Its id at the origin. */
  readonly from: string;
  /** Name of the agent that wrote it, such as `Codex`; absent: Folio. */
  readonly agent?: string;
  /** Source for the user: a file or a URL. */
  readonly place: string;
  /** Empty: the first prompt serves as title. */
  readonly title: string;
  /** Permitted events in order. They are numbered on import. */
  readonly events: readonly EmittedEvent[];
  readonly changes: readonly ImportedChange[];
  /** Number of changed files without texts. */
  readonly withoutTexts: number;
  /** Lines or entries that could not be read. */
  readonly unreadable: number;
  /** It exceeds the limit and was cut. */
  readonly isCut: boolean;
}

/** A changed file with its texts before and after the session. */
export interface ImportedChange {
  /** Relative to a workspace folder, with `/`. */
  readonly name: string;
  /** Index of its workspace folder. */
  readonly folder: number;
  /** `null`: the session created the file. */
  readonly before: string | null;
  readonly after: string;
  readonly hunks: readonly HunkAttribution[];
}

/** Writers and position of a hunk. The position only serves to match hunks. */
export type HunkAttribution = Pick<
  ReviewedHunk,
  'baseStart' | 'baseCount' | 'start' | 'count' | 'chapterIds' | 'writers'
>;

/** Bytes of an imported session, and characters of one file's text. */
export const importLimit = 64 * 1024 * 1024;
export const importedTextLimit = 5_000_000;
