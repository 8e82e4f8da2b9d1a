/*
 * Argument names that models use because other tools have them. A name is listed only if it means exactly the same.
 * Other unknown names are refused with a list of the valid ones (`readArguments.ts`).
 */

import { isRecord, tryParseJson } from '../../base/record.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Names for the same value. A name that the tool itself declares is never looked up here. */
const sameValue: Readonly<Record<string, readonly string[]>> = {
  file_path: [
    'path',
    'file',
    'filename',
    'file_name',
    'filepath',
    'absolute_path',
    'target_file',
    'notebook_path',
  ],
  dir_path: ['path', 'dir', 'directory', 'folder', 'cwd', 'workdir', 'working_directory', 'target_directory'],
  path: ['file_path', 'dir_path', 'file', 'dir', 'directory', 'folder'],
  old_string: ['old_str', 'old_text', 'search'],
  new_string: ['new_str', 'new_text', 'replacement', 'replace'],
  allow_multiple: ['replace_all'],
  content: ['contents', 'file_text', 'file_content', 'text'],
  command: ['cmd'],
  is_background: ['background', 'run_in_background'],
  include_pattern: ['include', 'glob', 'file_pattern', 'include_glob'],
  fixed_strings: ['literal', 'fixed_string'],
  total_max_matches: ['head_limit', 'max_results', 'max_matches'],
  after: ['-A', 'after_context', 'lines_after'],
  before: ['-B', 'before_context', 'lines_before'],
  context: ['-C', 'context_lines'],
  include: ['paths', 'files', 'file_paths'],
  start_line: ['line_start', 'start', 'first_line'],
  end_line: ['line_end', 'end', 'last_line'],
  agent_name: ['agent', 'subagent_type', 'subagent_name'],
  fact: ['memory'],
  plan: ['plan_text'],
  name: ['symbol', 'symbol_name', 'skill', 'skill_name', 'old_name'],
};

/** Names for one tool only; elsewhere they mean something else. */
const sameValueIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  grep_search: { pattern: ['query', 'regex', 'regexp', 'search_pattern'] },
  glob: { pattern: ['glob', 'glob_pattern', 'file_pattern'] },
  google_web_search: { query: ['q', 'search_query', 'search_term'] },
  invoke_agent: { prompt: ['task', 'objective', 'query'] },
  send_input: { text: ['input'], id: ['pid'] },
};

/** Converts a value of another meaning to the tool's own arguments. Returns `undefined` without an exact equivalent. */
type Conversion = (value: unknown, given: Arguments) => Arguments | undefined;

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const onlyIf = (holds: boolean, args: Arguments): Arguments | undefined => (holds ? args : undefined);
const inverted = (value: unknown) => onlyIf(typeof value === 'boolean', { case_sensitive: !value });

/** Unwraps a whole report in one argument, also as JSON text. */
const unwrapped: Conversion = value => {
  const whole = typeof value === 'string' ? tryParseJson(value) : value;
  if (isRecord(whole)) return whole;
  return onlyIf(typeof value === 'string', { result: value });
};

const conversions: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  // A note in the same tool of other agents, which does not affect the chapter.
  create_new_topic: { strategic_intent: () => ({}) },
  complete_task: { report: unwrapped, result: unwrapped, output: unwrapped },
  read_file: {
    // Lines to skip, as earlier versions of this tool counted.
    offset: value => onlyIf(isCount(value), { start_line: Number(value) + 1 }),
    limit: (value, { start_line = 1 }) =>
      onlyIf(isCount(value) && value > 0 && isCount(start_line), {
        end_line: Number(start_line) - 1 + Number(value),
      }),
    view_range: value => {
      if (!Array.isArray(value) || value.length !== 2) return undefined;
      const [start_line, end_line] = value;
      return end_line === -1 ? { start_line } : { start_line, end_line };
    },
  },
  grep_search: {
    '-i': inverted,
    ignore_case: inverted,
    case_insensitive: inverted,
    is_regexp: value => onlyIf(typeof value === 'boolean', { fixed_strings: !value }),
    output_mode: value =>
      value === 'files_with_matches' ? { names_only: true } : onlyIf(value === 'content', {}),
  },
  glob: { ignore_case: inverted, case_insensitive: inverted },
  web_fetch: {
    url: (value, { prompt }) =>
      onlyIf(typeof value === 'string' && typeof prompt === 'string', {
        prompt: String(prompt).includes(String(value)) ? prompt : `${prompt}\n${value}`,
      }),
  },
};

/**
 * Returns the arguments of `tool` that `name` stands for; `undefined`: no exact equivalent.
 * @param given the arguments, with those already read under the tool's own names
 * @param known names that the tool declares, without `name`
 */
export function resolveArgumentAlias(
  tool: string,
  name: string,
  given: Arguments,
  known: readonly string[],
): Arguments | undefined {
  const value = given[name];
  const plain = toSnakeCase(name);
  const convert = conversionOf(tool, name) ?? conversionOf(tool, plain);
  if (convert) return convert(value, given);
  if (known.includes(plain)) return { [plain]: value };
  const isMeant = (own: string) => {
    const others = [...(sameValueIn[tool]?.[own] ?? []), ...(sameValue[own] ?? [])];
    return others.includes(name) || others.includes(plain);
  };
  const special = known.find(own => sameValueIn[tool]?.[own]?.includes(plain));
  const own = special ?? known.find(isMeant);
  return own === undefined ? undefined : { [own]: value };
}

/** An argument may be called `constructor`, which every object inherits. */
function conversionOf(tool: string, name: string): Conversion | undefined {
  const own = conversions[tool];
  return own && Object.hasOwn(own, name) ? own[name] : undefined;
}

/** Converts `filePath`, `FilePath`, `file-path` and `file path` to `file_path`. */
function toSnakeCase(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/(?<=\w)[- ]+(?=\w)/g, '_')
    .toLowerCase();
}
