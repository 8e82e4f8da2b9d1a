import type { HookEvent } from '../../../protocol/hooks.ts';
import type { HookDialect } from '../../platform/customizations/hooks.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';
import { claudeNames } from '../toolNames.ts';

/** A program that runs around the agent's work, as a settings file names it. */
export interface Hook {
  readonly event: HookEvent;
  /** As it stands in the file: what the hook itself is told. */
  readonly eventName: string;
  readonly dialect: HookDialect;
  /** Absent: every tool, every occasion. */
  readonly matcher?: string;
  /** Runs after the one before it and sees what that one changed. */
  readonly sequential: boolean;
  readonly command: string;
  /** Its name, or its command on one line. */
  readonly name: string;
  readonly description?: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** Values of it that are shown nowhere: what the hook prints is rid of them. */
  readonly secrets?: readonly string[];
  /** It runs in the sandbox or not at all; absent: as the user would run it. */
  readonly sandbox?: ProgramGrants;
  /** It is there to object: without a result of its own, whatever it is asked about does not happen. */
  readonly guard?: true;
  readonly origin: 'person' | 'workspace';
  /** Absolute path of the file that names it. */
  readonly file: string;
}

/** Folio's hook events, each with the name that Claude Code gives it, if it has such an event. */
export const hookEvents: Readonly<Record<HookEvent, { readonly claude?: string }>> = {
  SessionStart: { claude: 'SessionStart' },
  SessionEnd: { claude: 'SessionEnd' },
  BeforeAgent: { claude: 'UserPromptSubmit' },
  AfterAgent: { claude: 'Stop' },
  BeforeModel: {},
  AfterModel: {},
  BeforeToolSelection: {},
  BeforeTool: { claude: 'PreToolUse' },
  AfterTool: { claude: 'PostToolUse' },
  Notification: { claude: 'Notification' },
  PreCompress: { claude: 'PreCompact' },
  SubagentStop: { claude: 'SubagentStop' },
};

/** The name that a hook is given for a tool. */
export function toolNameFor(dialect: HookDialect, tool: string): string {
  return (dialect === 'claude' && claudeNames(tool)[0]) || tool;
}
