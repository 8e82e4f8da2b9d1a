/*
 * The names of Folio's tools: its own, those of older versions of compatible files, and those of other agents. Settings,
 * rules, hooks, agents' tool lists and calls all read this table, so that a name protects wherever it stands.
 */

import { t } from '../../protocol/language.ts';
import { nearestNames } from '../base/similarity.ts';

interface OtherNames {
  /** In files of the dialect that `hook.ts` calls `claude`; the first one is reported to such hooks. */
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

/** All built-in tools, whether or not they are offered here. */
export const ownToolNames: readonly string[] = Object.keys(table);

/** The built-in tools that another program or an older file calls by this name; none where it has no such name. */
export function toolsCalled(name: string): readonly string[] {
  return ownToolNames.filter(tool => namesOf(tool).includes(name));
}

/** Tools elsewhere that an agent cannot have here, or does not need: output in the background is a file. */
export const withoutToolHere: ReadonlySet<string> = new Set([
  ...['Task', 'Agent', 'SlashCommand', 'ExitPlanMode'],
  ...['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop'],
]);

/** Names that compatible programs have and Folio has not, so that they are no slips. */
const elsewhere: ReadonlySet<string> = new Set([
  ...withoutToolHere,
  ...['codebase_investigator', 'generalist', 'cli_help', 'browser_agent', 'get_internal_docs'],
  ...['list_mcp_resources', 'read_mcp_resource'],
  ...['NotebookRead', 'TodoRead', 'ListMcpResources', 'ReadMcpResource'],
]);

/** The tools that an entry of settings, rules or agents means: it may hold `*`, and stays as it is if it is unknown. */
export function toolsMeant(name: string): readonly string[] {
  const [, server, tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  if (server !== undefined) return [`mcp_${server}_${tool}`];
  const called = toolsCalled(name);
  return called.length > 0 ? called : [name];
}

/** The names that hooks in the other dialect know a tool by, the one reported to them first. */
export function claudeNames(tool: string): readonly string[] {
  return Object.hasOwn(table, tool) ? (table[tool]!.claude ?? []) : spellingsOfServerTool(tool);
}

/** The names of a tool elsewhere, whoever uses them. */
export function namesOf(tool: string): readonly string[] {
  if (!Object.hasOwn(table, tool)) return spellingsOfServerTool(tool);
  const { claude = [], others = [] } = table[tool]!;
  return [...claude, ...others];
}

/** `mcp_a_b_c` is `mcp__a__b_c` or `mcp__a_b__c` there: the name does not tell where the server's ends. */
function spellingsOfServerTool(tool: string): readonly string[] {
  const rest = tool.startsWith('mcp_') ? tool.slice('mcp_'.length) : '';
  const cuts = [...rest.matchAll(/_/g)].map(({ index }) => index);
  return cuts.map(at => `mcp__${rest.slice(0, at)}__${rest.slice(at + 1)}`);
}

/**
 * A sentence about a name that no tool of Folio's own has, with the nearest ones; `undefined` for a known name, a
 * pattern, or a tool of a server.
 */
export function describeUnknownTool(name: string, place: string): string | undefined {
  const isKnown = Object.hasOwn(table, name) || elsewhere.has(name) || toolsCalled(name).length > 0;
  if (isKnown || !/^[\w-]+$/.test(name) || /^mcp_|__/.test(name)) return undefined;
  const [nearest = ''] = nearestNames(name, [...ownToolNames, ...ownToolNames.flatMap(namesOf)]);
  const [tool = nearest] = toolsCalled(nearest);
  return t(
    '{0}: Folio has no tool "{1}". Did you mean "{2}"? Unless a server or an extension provides "{1}", this is ignored.',
    place,
    name,
    tool,
  );
}
