import { describe, expect, it } from 'vitest';
import { parseToolList } from '../../src/extension/core/agents/parseAgent.ts';
import { matchHooks } from '../../src/extension/core/hooks/matchHooks.ts';
import { parseHooks } from '../../src/extension/core/hooks/parseHooks.ts';
import { parseRules } from '../../src/extension/core/policy/parseRules.ts';
import { describeInvalidEntries, settingRules } from '../../src/extension/core/policy/settingRules.ts';
import { describeUnknownTool, ownToolNames } from '../../src/extension/core/toolNames.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { toolBench } from '../support/toolBench.ts';
import type { WorldCase } from './report.ts';

interface NameCase extends WorldCase {
  readonly tool: string;
}

/** The title is the name that another program or an older version gives the tool. */
const names: readonly NameCase[] = [
  { title: 'Bash', source: 'report', tool: 'run_shell_command' },
  { title: 'ShellTool', source: 'report', tool: 'run_shell_command' },
  { title: 'execute_command', source: 'peer', tool: 'run_shell_command' },
  { title: 'run_in_terminal', source: 'peer', tool: 'run_shell_command' },
  { title: 'Write', source: 'report', tool: 'write_file' },
  { title: 'write_to_file', source: 'peer', tool: 'write_file' },
  { title: 'apply_patch', source: 'peer', tool: 'write_file' },
  { title: 'apply_patch', source: 'peer', tool: 'replace' },
  { title: 'Edit', source: 'report', tool: 'replace' },
  { title: 'edit', source: 'report', tool: 'replace' },
  { title: 'MultiEdit', source: 'report', tool: 'replace' },
  { title: 'SmartEditTool', source: 'report', tool: 'replace' },
  { title: 'NotebookEdit', source: 'peer', tool: 'edit_notebook' },
  { title: 'Read', source: 'report', tool: 'read_file' },
  { title: 'Read', source: 'report', tool: 'read_many_files' },
  { title: 'search_file_content', source: 'report', tool: 'grep_search' },
  { title: 'RipGrepTool', source: 'report', tool: 'grep_search' },
  { title: 'LSTool', source: 'report', tool: 'list_directory' },
  { title: 'WebFetch', source: 'report', tool: 'web_fetch' },
  { title: 'WebSearchTool', source: 'report', tool: 'google_web_search' },
  { title: 'WriteTodosTool', source: 'report', tool: 'write_todos' },
  { title: 'mcp__git__log', source: 'report', tool: 'mcp_git_log' },
];

const hookFile = (matcher: string) => ({
  path: '/home/.gemini/settings.json',
  origin: 'person' as const,
  dialect: 'gemini' as const,
  content: { hooks: { BeforeTool: [{ matcher, hooks: [{ type: 'command', command: 'guard' }] }] } },
});
const parse = (rule: string) =>
  parseRules({ path: '/r.toml', tier: 'user', text: `[[rule]]\n${rule}\npriority = 1` }, 'r.toml', undefined);

describe('a name of another program protects', () => {
  it.each(names)('in a list of the settings: $title is $tool', ({ title, tool }) => {
    const settings = { path: '/s.json', tier: 'user' as const, exclude: [title] };
    expect(settingRules(settings, 's.json', undefined)[0]?.tools).toContain(tool);
    expect(describeInvalidEntries(settings, 's.json')).toEqual([]);
  });

  it.each(names)('in a rule: $title is $tool', async ({ title, tool }) => {
    const { rules, problems: failures } = await parse(`toolName = "${title}"\ndecision = "deny"`);
    expect(rules[0]?.tools).toContain(tool);
    expect(failures).toEqual([]);
  });

  it.each(names)('in a rule that cannot be read: $title is $tool', async ({ title, tool }) => {
    const { rules } = await parse(`toolName = "${title}"\ndecision = "deny"\nargsPattern = "("`);
    expect(rules).toMatchObject([{ decision: 'ask', unclear: true }]);
    expect(rules[0]?.tools).toContain(tool);
  });

  it.each(names)('in the matcher of a hook: $title is $tool', ({ title, tool }) => {
    const { hooks, problems } = parseHooks(hookFile(`other_tool_xyz|${title}`));
    expect(matchHooks(hooks, tool)).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it.each(names)('in the tools of an agent: $title is $tool', ({ title, tool }) => {
    expect(parseToolList([title])).toMatchObject({ tools: expect.arrayContaining([tool]), remarks: [] });
  });
});

describe('a name that no tool has', () => {
  const slips = [
    ['write_fiel', 'write_file'],
    ['write_fil', 'write_file'],
    ['RipGrepTol', 'grep_search'],
    ['run_shell_comand', 'run_shell_command'],
    ['Edti', 'replace'],
  ] as const;

  it.each(slips)('is reported with the nearest one: %s', async (slip, nearest) => {
    const sentence = `Folio has no tool "${slip}". Did you mean "${nearest}"?`;
    const settings = {
      path: '/s.json',
      tier: 'user' as const,
      exclude: [slip],
      core: [`${slip}(git status)`],
    };
    const reports = describeInvalidEntries(settings, 's.json');
    expect(reports).toEqual([
      expect.stringContaining(`s.json, tools.core: ${sentence}`),
      expect.stringContaining(`s.json, tools.exclude: ${sentence}`),
    ]);
    const { rules, problems: failures } = await parse(`toolName = ["${slip}", "glob"]\ndecision = "deny"`);
    expect(rules).toMatchObject([{ tools: [slip, 'glob'] }]);
    expect(failures).toEqual([expect.stringContaining(`r.toml, line 1: ${sentence}`)]);
    expect(parseHooks(hookFile(slip)).problems).toEqual([expect.stringContaining(sentence)]);
  });

  it.each(['mcp_server_tool', 'server__tool', 'write_*', '*', 'Task', 'codebase_investigator'])(
    'may be that of a server, a pattern, or one that another program has: %s',
    name => expect(describeUnknownTool(name, 'x')).toBeUndefined(),
  );

  it('is not one of ours', async () => {
    const world = await PolicyWorld.make();
    const bench = toolBench(world);
    const { tools } = bench;
    await bench.dispose();
    await world.dispose();
    expect(tools.map(({ name }) => name).filter(name => !ownToolNames.includes(name))).toEqual([]);
  });
});
