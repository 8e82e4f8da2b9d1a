/* Programs of the user or the workspace that run around the agent's work. */

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

/** `changed`: it changed what continues or added context; `failed` and `timedOut` change nothing. */
export type HookOutcome = 'passed' | 'changed' | 'blocked' | 'stopped' | 'failed' | 'timedOut';
