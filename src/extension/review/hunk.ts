import type { HunkPlace } from '../../protocol/changes.ts';
import type { Writer } from '../../protocol/values.ts';
import type { UnitKind } from './units.ts';

export interface FileReview {
  /** The units of the review: lines of a text, or cells of a notebook. */
  readonly by: UnitKind;
  readonly base: readonly string[];
  readonly present: readonly string[];
  /** In file order, not overlapping. */
  readonly hunks: readonly Hunk[];
  /** Change of the executable bit (fileModeSchema.ts). */
  readonly mode?: ModeHunk;
  /** True if the file did not exist before: rejecting the last hunk deletes it. */
  readonly created: boolean;
  readonly nextId: number;
}

export interface Hunk extends HunkPlace {
  /** The lines as the agent wrote them, to restore a rejected hunk. */
  readonly agentLines: readonly string[];
}

export interface ModeHunk extends Hunk {
  /** The value that the agent set. */
  readonly executable: boolean;
}

/** Maximum number of writers of a hunk. The oldest are dropped. */
const namedWriters = 3;

/** Returns the writers of merged hunks, oldest first. A writer that wrote again counts as newest. */
export function mergeWriters(hunks: readonly Hunk[], newest?: Writer): readonly Writer[] | undefined {
  const all = [...hunks.flatMap(hunk => hunk.writers ?? []), ...(newest ? [newest] : [])];
  const named = new Map(all.toReversed().map(writer => [JSON.stringify(writer), writer]));
  return all.length > 0 ? [...named.values()].slice(0, namedWriters).toReversed() : undefined;
}
