import type { HunkPlace } from '../../protocol/changes.ts';
import type { Writer } from '../../protocol/values.ts';
import type { Units } from './units.ts';

export interface FileReview {
  /** The units that count as lines here: lines of a text, or cells of a notebook. */
  readonly by: Units;
  readonly base: readonly string[];
  readonly present: readonly string[];
  /** In the order of the file; no two overlap. */
  readonly hunks: readonly Hunk[];
  /** The file became executable, or is so no longer (fileMode.ts). */
  readonly mode?: ModeHunk;
  /** The file did not exist before: rejecting the last hunk takes it away again. */
  readonly created: boolean;
  readonly nextId: number;
}

export interface Hunk extends HunkPlace {
  /** The lines as the agent had written them; they come back when a rejected hunk is brought back. */
  readonly agentLines: readonly string[];
}

export interface ModeHunk extends Hunk {
  /** The agent made the file so. */
  readonly executable: boolean;
}

/** Writers that one hunk names, the newest. */
const namedWriters = 3;

/** The writers of hunks that become one. A writer that wrote again is the newest one. */
export function writersOf(hunks: readonly Hunk[], newest?: Writer): readonly Writer[] | undefined {
  const all = [...hunks.flatMap(hunk => hunk.writers ?? []), ...(newest ? [newest] : [])];
  const named = new Map(all.toReversed().map(writer => [JSON.stringify(writer), writer]));
  return all.length > 0 ? [...named.values()].slice(0, namedWriters).toReversed() : undefined;
}
