/* Programs of the person or the workspace that run around the agent's work. */

export type HookEvent =
  | 'BeforeAgent'
  | 'AfterAgent'
  | 'BeforeModel'
  | 'AfterModel'
  | 'BeforeToolSelection'
  | 'BeforeTool'
  | 'AfterTool'
  | 'Notification'
  | 'SessionStart'
  | 'SessionEnd'
  | 'PreCompress'
  | 'SubagentStop';

export interface HookStarted {
  readonly type: 'hook.started';
  readonly runId: string;
  readonly event: HookEvent;
  /** Its name, or its command cut to one line. */
  readonly name: string;
  /** Of the call it runs around. */
  readonly callId?: string;
}

export interface HookEnded {
  readonly type: 'hook.ended';
  readonly runId: string;
  readonly outcome: HookOutcome;
  /** One sentence for the person: what it decided, or why it failed. */
  readonly summary: string;
  /** What it printed, bounded. */
  readonly output: string;
  readonly durationMs: number;
}

/** `changed`: it changed what goes on or added context; `failed` and `timedOut` change nothing. */
export type HookOutcome = 'passed' | 'changed' | 'blocked' | 'stopped' | 'failed' | 'timedOut';
