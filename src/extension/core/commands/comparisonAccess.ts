import type { Worktree } from '../../../protocol/worktree.ts';

export interface ComparisonRequest {
  readonly prompt: string;
  readonly attempts: readonly AttemptRequest[];
}

export interface AttemptRequest {
  /** An id; the same may come more than once. */
  readonly model: string;
  readonly worktree: Worktree;
  /** The command that sets the worktree up; empty: none. */
  readonly setUp: string;
}

/** Several models at one task, for commands. */
export interface ComparisonAccess {
  /** Lets the user choose models; `undefined`: they chose none. */
  pickModels(): Promise<readonly string[] | undefined>;
  /** Has the models begin, and opens the page. */
  start(request: ComparisonRequest): Promise<void>;
  /** Opens the page of the newest one; false: there is none. */
  show(): Promise<boolean>;
}
