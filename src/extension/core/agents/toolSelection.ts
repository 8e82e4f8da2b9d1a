import { matchesWildcard } from '../../base/wildcard.ts';
import { isForeign, toSubagentTool } from '../foreign/foreignTools.ts';
import type { AnyTool } from '../tool.ts';

/** Selects the session's tools that a subagent may use. */
export interface ToolSelection {
  /** Names; `*` matches any characters. Absent: all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/**
 * Tools of the session and its user. A subagent starts no others, names no chapters or tasks, changes no mode, and does
 * not read earlier conversation.
 */
const never: ReadonlySet<string> = new Set([
  'invoke_agent',
  'complete_task',
  'create_new_topic',
  'answer_comment',
  'write_todos',
  'enter_plan_mode',
  'exit_plan_mode',
  'recall_chapter',
  'run_tool_script',
]);

export function selectTools(
  tools: readonly AnyTool[],
  { only, except = [] }: ToolSelection,
): readonly AnyTool[] {
  const chosen = tools.filter(
    ({ name }) => !never.has(name) && (!only || isNamed(name, only)) && !isNamed(name, except),
  );
  // Tools named in an agent's file are always declared, however many others there are.
  const named = (only ?? []).filter(pattern => pattern !== '*');
  return chosen.map(tool =>
    isForeign(tool) && isNamed(tool.name, named) ? tool.always : toSubagentTool(tool),
  );
}

function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => matchesWildcard(pattern, name));
}
