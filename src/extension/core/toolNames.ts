/*
 * Names of Folio's tools: its own, older names in compatible files, and names in other agents. Settings, rules, hooks,
 * tool lists of agents and calls share this table, so that a rule protects under any of the names.
 */

import { t } from '../../protocol/language.ts';
import { nearestNames } from '../base/similarity.ts';

interface OtherNames {
  /** Names in files of the dialect that `hook.ts` calls `claude`. Such hooks get the first one. */
  readonly claude?: readonly string[];
  readonly others?: readonly string[];
}

const table: Readonly<Record<string, OtherNames>> = {
  run_shell_command: {
    claude: ['Bash'],
    others: [
      ...['ShellTool', 'Shell', 'shell', 'bash', 'execute_command', 'exec_command', 'local_shell'],
      ...['run_terminal_cmd', 'run_terminal_command', 'run_in_terminal', 'runInTerminal', 'terminal'],
    ],
  },
  read_file: { claude: ['Read'], others: ['ReadFileTool', 'readFile', 'read', 'view'] },
  read_many_files: { claude: ['Read'], others: ['ReadManyFilesTool'] },
  write_file: {
    claude: ['Write'],
    others: ['WriteFileTool', 'write', 'write_to_file', 'create_file', 'createFile', 'apply_patch'],
  },
  replace: {
    claude: ['Edit', 'MultiEdit'],
    others: [
      ...['EditTool', 'SmartEditTool', 'edit', 'edit_file', 'editFiles', 'str_replace', 'search_replace'],
      ...['replace_in_file', 'replace_string_in_file', 'multi_replace_string_in_file', 'apply_patch'],
    ],
  },
  edit_notebook: { claude: ['NotebookEdit'], others: ['edit_notebook_file'] },
  grep_search: {
    claude: ['Grep'],
    others: ['GrepTool', 'RipGrepTool', 'search_file_content', 'search_files', 'grep', 'textSearch'],
  },
  glob: { claude: ['Glob'], others: ['GlobTool', 'file_search', 'fileSearch', 'find_files'] },
  list_directory: {
    claude: ['LS'],
    others: ['LSTool', 'list_dir', 'list_files', 'listDirectory', 'ls', 'list'],
  },
  web_fetch: { claude: ['WebFetch'], others: ['WebFetchTool', 'fetch_webpage', 'webfetch', 'fetch'] },
  google_web_search: { claude: ['WebSearch'], others: ['WebSearchTool', 'web_search', 'websearch'] },
  write_todos: {
    claude: ['TodoWrite'],
    others: ['WriteTodosTool', 'todowrite', 'manage_todo_list', 'update_plan'],
  },
  save_memory: { others: ['MemoryTool'] },
  activate_skill: { others: ['Skill', 'ActivateSkillTool', 'skill'] },
  ask_user: { others: ['AskUserQuestion', 'AskUserTool', 'ask_followup_question'] },
  invoke_agent: { others: ['Task', 'Agent', 'task', 'new_task', 'runSubagent'] },
  enter_plan_mode: { others: ['EnterPlanMode'] },
  exit_plan_mode: { others: ['ExitPlanMode'] },
  create_new_topic: { others: ['update_topic'] },
  get_problems: { others: ['get_errors', 'problems', 'getDiagnostics'] },
  find_symbol: { others: ['list_code_usages', 'usages', 'lsp'] },
  run_tests: { others: ['runTests', 'test_runner'] },
  answer_comment: {},
  apply_code_action: {},
  browser_do: {},
  browser_look: {},
  browser_open: {},
  browser_run: {},
  complete_task: {},
  debug: {},
  find_tools: { others: ['ToolSearch', 'tool_search'] },
  recall_chapter: {},
  rename_symbol: {},
  run_tool_script: { others: ['code_execution', 'execute_code', 'execute_tool_script'] },
  send_input: {},
};

/** All built-in tools, whether offered now or not. */
export const ownToolNames: readonly string[] = Object.keys(table);

/** Returns the built-in tools that another program or an older file calls by this name, maybe none. */
export function findToolsByAlias(name: string): readonly string[] {
  return ownToolNames.filter(tool => foreignNamesOf(tool).includes(name));
}

/** Tools of other agents that have no counterpart here, or need none: output in the background is a file. */
export const unsupportedTools: ReadonlySet<string> = new Set([
  ...['Task', 'Agent', 'SlashCommand', 'ExitPlanMode'],
  ...['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop'],
]);

/** Names of compatible programs that Folio lacks, so that they do not count as typos. */
const elsewhere: ReadonlySet<string> = new Set([
  ...unsupportedTools,
  ...['codebase_investigator', 'generalist', 'cli_help', 'browser_agent', 'get_internal_docs'],
  ...['list_mcp_resources', 'read_mcp_resource'],
  ...['NotebookRead', 'TodoRead', 'ListMcpResources', 'ReadMcpResource'],
]);

/** Resolves an entry of settings, rules or agents to tool names. Entries with `*` and unknown ones stay as they are. */
export function resolveToolNames(name: string): readonly string[] {
  const [, server, tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  if (server !== undefined) return [`mcp_${server}_${tool}`];
  const called = findToolsByAlias(name);
  return called.length > 0 ? called : [name];
}

/** Returns a tool's names in the `claude` dialect, the reported one first. */
export function claudeNames(tool: string): readonly string[] {
  return Object.hasOwn(table, tool) ? (table[tool]!.claude ?? []) : spellingsOfServerTool(tool);
}

/** Returns all names of a tool in other programs. */
function foreignNamesOf(tool: string): readonly string[] {
  if (!Object.hasOwn(table, tool)) return spellingsOfServerTool(tool);
  const { claude = [], others = [] } = table[tool]!;
  return [...claude, ...others];
}

/** `mcp_a_b_c` may be `mcp__a__b_c` or `mcp__a_b__c`: the name does not show where the server's name ends. */
function spellingsOfServerTool(tool: string): readonly string[] {
  const rest = tool.startsWith('mcp_') ? tool.slice('mcp_'.length) : '';
  const cuts = [...rest.matchAll(/_/g)].map(({ index }) => index);
  return cuts.map(at => `mcp__${rest.slice(0, at)}__${rest.slice(at + 1)}`);
}

/**
 * Describes an unknown tool name with the nearest known one. Returns `undefined` for a known name, a pattern, or a tool
 * of a server.
 */
export function describeUnknownTool(name: string, place: string): string | undefined {
  const isKnown = Object.hasOwn(table, name) || elsewhere.has(name) || findToolsByAlias(name).length > 0;
  if (isKnown || !/^[\w-]+$/.test(name) || /^mcp_|__/.test(name)) return undefined;
  const [nearest = ''] = nearestNames(name, [...ownToolNames, ...ownToolNames.flatMap(foreignNamesOf)]);
  const [tool = nearest] = findToolsByAlias(nearest);
  return t(
    '{0}: Folio has no tool "{1}". Did you mean "{2}"? Unless a server or an extension provides "{1}", this is ignored.',
    place,
    name,
    tool,
  );
}
