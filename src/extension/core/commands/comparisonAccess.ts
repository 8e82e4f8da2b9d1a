import type { Worktree } from '../../../protocol/worktree.ts';

export interface ComparisonRequest {
  readonly prompt: string;
  readonly attempts: readonly AttemptRequest[];
}

export interface AttemptRequest {
  /** A model id. The same one may occur repeatedly. */
  readonly model: string;
  readonly worktree: Worktree;
  /** The command that sets up the worktree; empty: none. */
  readonly setUp: string;
}

/** Comparisons of several models on one task, for commands. */
export interface ComparisonAccess {
  /** Lets the user choose models; `undefined`: none were chosen. */
  pickModels(): Promise<readonly string[] | undefined>;
  /** Starts the models and opens the page. */
  start(request: ComparisonRequest): Promise<void>;
  /** Opens the page of the latest comparison. Returns false if there is none. */
  show(): Promise<boolean>;
}
