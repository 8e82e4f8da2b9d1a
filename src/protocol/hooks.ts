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

/** `changed`: the hook changed data or added context. `failed` and `timedOut` change nothing. */
export type HookOutcome = 'passed' | 'changed' | 'blocked' | 'stopped' | 'failed' | 'timedOut';
