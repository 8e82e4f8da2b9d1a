import type { WorktreeStart } from '../../platform/worktrees.ts';

export interface ComparisonRequest {
  /** Ids, one for each attempt; the same may come more than once. */
  readonly models: readonly string[];
  readonly prompt: string;
  readonly start: WorktreeStart;
  /** Ignored files that each worktree gets, too. */
  readonly copies: readonly string[];
}

/** Several models at one task, for commands. */
export interface ComparisonAccess {
  /** Lets the user choose models; `undefined`: they chose none. */
  pickModels(): Promise<readonly string[] | undefined>;
  /** Makes all worktrees or none, then has the models begin, and opens the page. */
  start(request: ComparisonRequest, signal: AbortSignal): Promise<void>;
  /** Opens the page of the newest one; false: there is none. */
  show(): Promise<boolean>;
}
