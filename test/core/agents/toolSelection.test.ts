import { expect, test } from 'vitest';
import * as z from 'zod';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { selectTools, type ToolSelection } from '../../../src/extension/core/agents/toolSelection.ts';
import { defineReadTool } from '../../../src/extension/core/tool.ts';

const tools = [
  'create_new_topic',
  'write_todos',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'recall_chapter',
  'read_file',
  'replace',
  'invoke_agent',
  'complete_task',
  'mcp_db_query',
  'mcp_db_drop',
  'mcp_dbs_query',
  'mcp_git_log',
].map(name =>
  defineReadTool({
    name,
    description: '',
    input: () => z.object({}),
    title: () => name,
    run: async () => ({ text: '', display: { summary: () => '' } }),
  }),
);

test.each<[string, ToolSelection, readonly string[]]>([
  [
    'all',
    {},
    ['ask_user', 'read_file', 'replace', 'mcp_db_query', 'mcp_db_drop', 'mcp_dbs_query', 'mcp_git_log'],
  ],
  [
    'all by a star',
    { only: ['*'] },
    ['ask_user', 'read_file', 'replace', 'mcp_db_query', 'mcp_db_drop', 'mcp_dbs_query', 'mcp_git_log'],
  ],
  ['those of servers', { only: ['mcp_*'] }, ['mcp_db_query', 'mcp_db_drop', 'mcp_dbs_query', 'mcp_git_log']],
  ['those of one server', { only: ['mcp_db_*'] }, ['mcp_db_query', 'mcp_db_drop']],
  ['names', { only: ['read_file', 'unknown'] }, ['read_file']],
  ['all but some', { except: ['mcp_*', 'ask_user'] }, ['read_file', 'replace']],
  ['what is a pattern of other programs is a name', { only: ['read.file', 'mcp_(db|git)_.*'] }, []],
  ['none', { only: [] }, []],
  ['what belongs to the session, by name', { only: ['invoke_agent', 'write_todos', 'complete_task'] }, []],
])('an agent may use %s', (_name, choice, names) => {
  expect(selectTools(tools, choice).map(({ name }) => name)).toEqual(names);
});

test('agents of ours ask nobody what to do', () => {
  for (const { tools: choice } of builtInAgents)
    expect(selectTools(tools, choice).map(({ name }) => name)).not.toContain('ask_user');
});
