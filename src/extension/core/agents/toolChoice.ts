import { matchesWildcard } from '../../base/wildcard.ts';
import { forAgents, isForeign } from '../foreign/foreignTools.ts';
import type { AnyTool } from '../tool.ts';

/** Which of the session's tools an agent may use. */
export interface ToolChoice {
  /** Names, `*` for any letters; absent: all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/**
 * These tools belong to the session and its user: a subagent sends out no others, names no chapters or tasks,
 * changes no mode, and does not read what was said before.
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

export function chooseTools(
  tools: readonly AnyTool[],
  { only, except = [] }: ToolChoice,
): readonly AnyTool[] {
  const chosen = tools.filter(
    ({ name }) => !never.has(name) && (!only || isNamed(name, only)) && !isNamed(name, except),
  );
  // A tool that its file names is told to it, however many there are beside.
  const named = (only ?? []).filter(pattern => pattern !== '*');
  return chosen.map(tool => (isForeign(tool) && isNamed(tool.name, named) ? tool.always : forAgents(tool)));
}

function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => matchesWildcard(pattern, name));
}
