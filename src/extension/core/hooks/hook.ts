import type { HookEvent } from '../../../protocol/hooks.ts';
import type { HookDialect } from '../../platform/customizations/hooks.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';
import { claudeNames } from '../toolNames.ts';

/** A program from a settings file that runs at events of the agent. */
export interface Hook {
  readonly event: HookEvent;
  /** Name in the file, which is passed to the hook. */
  readonly eventName: string;
  readonly dialect: HookDialect;
  /** Absent: every tool or occasion. */
  readonly matcher?: string;
  /** Runs after the previous hook and gets its changes. */
  readonly sequential: boolean;
  readonly command: string;
  /** Its name, or its command on one line. */
  readonly name: string;
  readonly description?: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** Secret values in `env`, which are removed from its output. */
  readonly secrets?: readonly string[];
  /** It runs in the sandbox or not at all; absent: without a sandbox, like a user's command. */
  readonly sandbox?: ProgramGrants;
  /** A guard: without a valid answer, the event that it checks is blocked. */
  readonly guard?: true;
  readonly origin: 'person' | 'workspace';
  /** Absolute path of the file that defines it. */
  readonly file: string;
}

/** Folio's hook events, with Claude Code's name for each that exists there. */
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

/** Returns the tool name that the hook receives. */
export function toolNameFor(dialect: HookDialect, tool: string): string {
  return (dialect === 'claude' && claudeNames(tool)[0]) || tool;
}
