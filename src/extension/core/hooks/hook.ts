import type { HookEvent } from '../../../protocol/hooks.ts';
import type { HookDialect } from '../../platform/customizations/hooks.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';

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
  /** It runs in the sandbox or not at all; absent: as the person would run it. */
  readonly sandbox?: ProgramGrants;
  readonly origin: 'person' | 'workspace';
  /** Absolute path of the file that names it. */
  readonly file: string;
}

/** Our events, and under which names hooks written for others know them. */
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

/** Our tools, and what hooks written for others call them. Their arguments of the same meaning have the same names. */
const claudeTools: Readonly<Record<string, readonly string[]>> = {
  replace: ['Edit', 'MultiEdit'],
  edit_notebook: ['NotebookEdit'],
  write_file: ['Write'],
  run_shell_command: ['Bash'],
  read_file: ['Read'],
  read_many_files: ['Read'],
  grep_search: ['Grep'],
  glob: ['Glob'],
  list_directory: ['LS'],
  web_fetch: ['WebFetch'],
  google_web_search: ['WebSearch'],
  write_todos: ['TodoWrite'],
};

/** Which of our tools another program means by this name; none where it has no such name. */
export function toolsCalled(name: string): readonly string[] {
  return Object.keys(claudeTools).filter(tool => claudeTools[tool]!.includes(name));
}

/** Under which names a hook may know a tool, the one that it is told first. */
export function toolNamesFor(dialect: HookDialect, tool: string): readonly string[] {
  const theirs = dialect === 'claude' && Object.hasOwn(claudeTools, tool) ? claudeTools[tool]! : [];
  return [...theirs, tool];
}
