import { expect, test } from 'vitest';
import * as z from 'zod';
import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { defineReadTool } from '../../src/extension/core/tool.ts';
import { noWorkbench } from '../../src/extension/headless/editorStandIns.ts';
import { NodeHttp } from '../../src/extension/node/http/nodeHttp.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import { builtInTools } from '../../src/extension/tools/tools.ts';
import { noDiagnostics } from '../support/absentPorts.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { ScriptedModel } from '../support/scriptedModel.ts';

const byteLimit = 8_700;
const ofLanguages = ['find_symbol', 'get_problems', 'rename_symbol', 'apply_code_action'];

/** What the Gemini API documents for `parametersJsonSchema`. */
const knownKeywords = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required'.split(
    ' ',
  ),
);

const files = new MemoryFileSystem({});
const paths = new WorkspacePaths(files, ['/w']);
const clock = new ManualClock();
const tools = builtInTools(
  {
    files,
    search: new WalkSearch(),
    paths,
    clock,
    memoryFile: () => '/home/GEMINI.md',
    ignoredFolders: () => [],
    notebooks: { isThere: true, saw: () => {} },
    workbench: noWorkbench,
    diagnostics: noDiagnostics,
    skills: () => new Map(),
    activated: () => {},
  },
  {
    interactive: true,
    setTodos: () => {},
    mode: () => 'default',
    setMode: () => {},
    plans: {
      write: async () => ({ path: '/plans/1.md', text: '' }),
      approve: async () => ({ text: '', changed: false }),
      sendBack: async () => '',
    },
    hasChapters: () => true,
    startTopic: () => true,
    chapters: () => [],
    hasCompressed: () => false,
    estimateTokens: text => text.length / 4,
  },
  {
    files,
    paths,
    clock,
    processes: new NodeProcesses(),
    inactivityTimeout: () => 300,
    outputLimit: () => 40_000,
    outputFolder: () => '/outputs',
  },
  {
    http: new NodeHttp(),
    outputLimit: () => 40_000,
    model: () => ({ provider: new ScriptedModel([]), model: 'scripted' }),
  },
  {
    presence: { isThere: true, find: async () => undefined },
    command: () => '',
    files,
    platform: 'linux',
  },
);

test('every tool has the name that models know', () => {
  expect(tools.map(tool => tool.name).sort()).toEqual([
    'activate_skill',
    'apply_code_action',
    'ask_user',
    'create_new_topic',
    'edit_notebook',
    'enter_plan_mode',
    'exit_plan_mode',
    'find_symbol',
    'get_problems',
    'glob',
    'google_web_search',
    'grep_search',
    'list_directory',
    'read_file',
    'read_many_files',
    'recall_chapter',
    'rename_symbol',
    'replace',
    'run_shell_command',
    'run_tests',
    'save_memory',
    'send_input',
    'web_fetch',
    'write_file',
    'write_todos',
  ]);
});

test(`all declarations that every request carries are smaller than ${byteLimit} bytes`, () => {
  const special = ['edit_notebook', 'send_input', 'run_tests', ...ofLanguages];
  const usual = tools.filter(({ name }) => !special.includes(name));
  const sizes = usual.map(tool => ({ tool: tool.name, bytes: byteSize(declareTool(tool)) }));
  const total = byteSize(usual.map(declareTool));
  const table = sizes.map(({ tool, bytes }) => `${tool}: ${bytes}`).join('\n');
  expect(total, `${total} bytes in all\n${table}`).toBeLessThan(byteLimit);
});

test('the tool for notebooks, declared where there are some, is smaller than 800 bytes', () => {
  expect(byteSize(declareTool(tools.find(tool => tool.name === 'edit_notebook')!))).toBeLessThan(800);
});

test('the tool that answers commands, declared while one waits, is smaller than 500 bytes', () => {
  expect(byteSize(declareTool(tools.find(tool => tool.name === 'send_input')!))).toBeLessThan(500);
});

test('the tool that runs tests, declared where there are some, is smaller than 450 bytes', () => {
  expect(byteSize(declareTool(tools.find(tool => tool.name === 'run_tests')!))).toBeLessThan(450);
});

test('the tools of language servers, declared where one answers, are smaller than 1,500 bytes together', () => {
  const declared = tools.filter(({ name }) => ofLanguages.includes(name)).map(declareTool);
  expect(declared).toHaveLength(ofLanguages.length);
  expect(byteSize(declared)).toBeLessThan(1_500);
});

test.each(tools.map(tool => [tool.name, tool] as const))(
  '%s is declared in keywords that Gemini knows',
  (_name, tool) => {
    const { parameters } = declareTool(tool);
    expect(parameters.type).toBe('object');
    expect(keywordsOf(parameters).filter(keyword => !knownKeywords.has(keyword))).toEqual([]);
  },
);

function byteSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, ...Object.values(value as object).flatMap(keywordsOf)];
    if (keyword === 'items' || keyword === 'anyOf' || keyword === 'oneOf') {
      return [keyword, ...[value].flat().flatMap(keywordsOf)];
    }
    return [keyword];
  });
}

test('what is checked only when the call arrives is not declared, and fields may be named like keywords', () => {
  const input = z.object({
    pattern: z.string().min(3).regex(/a/),
    minimum: z.int().min(2).optional(),
    kind: z.literal('a'),
    level: z.number().default(1),
  });
  const tool = defineReadTool({
    name: 'x',
    description: 'y',
    input: () => input,
    title: () => '',
    run: async () => ({ text: '', display: { summary: () => '' } }),
  });
  expect(declareTool(tool).parameters).toEqual({
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      minimum: { type: 'integer', minimum: 2 },
      kind: { type: 'string', enum: ['a'] },
      level: { type: 'number' },
    },
    required: ['pattern', 'kind'],
  });
});
