/* Which tools of others the model is told of, and for how long. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { selectTools } from '../../../src/extension/core/agents/toolSelection.ts';
import { type ForeignToolLimits, ForeignTools } from '../../../src/extension/core/foreign/foreignTools.ts';
import { type AnyTool, defineReadTool, defineTool } from '../../../src/extension/core/tool.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { makeWorld } from '../../support/conversation.ts';
import { useTool } from '../../support/useTool.ts';

const done = { text: 'Done.', display: { summary: () => '' } };

/** As a server describes it. */
function foreign(name: string, description = `Does ${name}.`): AnyTool {
  return defineTool<unknown, undefined>({
    name,
    description,
    schema: { type: 'object', properties: {} },
    input: () => z.unknown(),
    effect: 'read',
    title: () => name,
    prepare: async () => ({ plan: undefined }),
    run: async () => done,
  });
}

const own = defineReadTool({
  name: 'list_resources',
  description: '',
  input: () => z.object({}),
  title: () => '',
  run: async () => done,
});

function many(count: number): readonly AnyTool[] {
  return Array.from({ length: count }, (_, at) => foreign(`mcp_box_tool_${at}`));
}

interface PromptEntryPoints extends Partial<ForeignToolLimits> {
  readonly forbidden?: readonly string[];
  readonly called?: readonly string[];
}

function toolsOf(
  given: readonly AnyTool[],
  { called = [], forbidden = [], ...limits }: PromptEntryPoints = {},
) {
  let present = given;
  const all = { tools: 40, tokens: 6000, context: 1_000_000, ...limits };
  const { list } = new ForeignTools(
    () => present,
    ({ name }) => forbidden.includes(name),
    () => all,
    () => called,
  );
  const tool = (name: string) => list().find(each => each.name === name)!;
  return {
    list,
    tool,
    declared: () =>
      list()
        .filter(({ isOffered }) => isOffered?.() ?? true)
        .map(({ name }) => name),
    find: (query: string) => useTool(tool('find_tools'), { query }),
    call: (name: string) => useTool(tool(name), {}),
    give: (tools: readonly AnyTool[]) => {
      present = tools;
    },
  };
}

describe('tools of others', () => {
  it('are all declared while they are few and short', () => {
    const { declared } = toolsOf([...many(39), own]);
    expect(declared()).toHaveLength(40);
    expect(declared()).not.toContain('find_tools');
  });

  it.each([
    ['forty of them', many(40), {}],
    ['six thousand tokens of them', [foreign('mcp_box_a', 'word '.repeat(4800))], {}],
    ['a tenth of the context', [foreign('mcp_box_a', 'word '.repeat(2000))], { context: 20_000 }],
    ['as many as the user says', many(5), { tools: 5 }],
    ['as long ones as the user says', many(5), { tokens: 50 }],
    ['a tenth of the context, whatever the user says', many(500), { tools: 0, tokens: 0, context: 50_000 }],
  ] as const)('are found by looking for them from %s on', (_what, tools, limits) => {
    expect(toolsOf([...tools, own], limits).declared()).toEqual(['list_resources', 'find_tools']);
  });

  it('are all declared where the user wants no limit', () => {
    expect(toolsOf(many(500), { tools: 0, tokens: 0 }).declared()).toHaveLength(500);
  });

  it('can be called before and after they are told of, and are there once they were found', async () => {
    const { declared, find, call } = toolsOf(many(300));
    await call('mcp_box_tool_77');
    expect(declared()).toEqual(['mcp_box_tool_77', 'find_tools']);
    const { text } = await find('tool 250');
    expect(text).toContain('mcp_box_tool_250');
    expect(text).toMatch(
      /\n290 more tools fit less well\. If none of these is right, search with words that name/,
    );
    expect(declared()).toHaveLength(12);
    expect(declared()).toEqual(expect.arrayContaining(['mcp_box_tool_77', 'mcp_box_tool_250', 'find_tools']));
  });

  it('of which none fits are told by whom they are', async () => {
    const { find } = toolsOf([...many(40), foreign('mcp_sea_tide'), foreign('acme_sky')]);
    await expect(find('zebra')).rejects.toThrow('There are tools of box, sea, acme_sky.');
  });

  it('stay while they are called, and make room for new ones once they are not', async () => {
    const groups = ['a', 'b', 'c', 'd'].flatMap(group =>
      Array.from({ length: 10 }, (_, at) => foreign(`mcp_${group}_tool_${at}`, `${group}word`)),
    );
    const { declared, find, call } = toolsOf(groups, { tools: 21 });
    await find('aword');
    await call('mcp_a_tool_3');
    await find('bword');
    expect(declared()).toHaveLength(21);
    await call('mcp_a_tool_3');
    await find('cword');
    const names = declared();
    expect(names).toContain('mcp_a_tool_3');
    expect(names.filter(name => name.startsWith('mcp_a'))).toHaveLength(1);
    expect(names.filter(name => name.startsWith('mcp_c'))).toHaveLength(10);
    expect(names.length).toBeLessThanOrEqual(21);
  });

  it('that one search found are all told of, also where they are too many automatically', async () => {
    const { declared, find } = toolsOf(many(40), { tools: 5 });
    await find('tool');
    expect(declared()).toHaveLength(11);
  });

  it('that were called before a reload are declared after it', () => {
    const called = ['read_file', 'mcp_box_tool_3', 'mcp_box_tool_3', 'mcp_box_tool_9', 'mcp_gone_tool'];
    const { declared } = toolsOf(many(40), { called });
    expect(declared()).toEqual(['mcp_box_tool_3', 'mcp_box_tool_9', 'find_tools']);
  });

  it('are the same list until others are given, in one order, so that requests begin alike', async () => {
    const { list, declared, find, call, give } = toolsOf(many(40));
    const before = list();
    await find('tool 7');
    const names = declared();
    await call('mcp_box_tool_7');
    expect(list()).toBe(before);
    expect(declared()).toEqual(names);
    give(many(39));
    expect(declared()).toHaveLength(39);
  });
});

describe('an agent', () => {
  it('is told of the foreign tools that its file names, however many there are', () => {
    const { list } = toolsOf(many(300));
    const isOffered = (tool: AnyTool) => tool.isOffered?.() ?? true;
    expect(selectTools(list(), { only: ['mcp_box_tool_7'] }).filter(isOffered)).toMatchObject([
      { name: 'mcp_box_tool_7' },
    ]);
    for (const choice of [{}, { only: ['*'] }]) {
      expect(selectTools(list(), choice).filter(isOffered)).toMatchObject([{ name: 'find_tools' }]);
    }
  });

  it('finds tools as the session does, and calls them', async () => {
    const foreignTools = toolsOf(many(300));
    const provider = new CastModel({
      go: [send(['generalist', 'Work']), say('Done.')],
      Work: [ask(['find_tools', { query: 'tool 7' }]), ask(['mcp_box_tool_7', {}]), report('Found.')],
    });
    const world = makeWorld({
      answers: [],
      agents: builtInAgents,
      provider,
      mode: 'yolo',
      moreTools: () => foreignTools.list,
    });
    expect(await world.session.send('go')).toEqual({ kind: 'rested' });
    const [first, second] = provider.requestsOf('Work').map(({ tools }) => tools.map(({ name }) => name));
    expect(first).toContain('find_tools');
    expect(first?.filter(name => name.startsWith('mcp_'))).toEqual([]);
    expect(second).toContain('mcp_box_tool_7');
    expect(JSON.stringify(provider.requestsOf('Work').at(-1)?.messages)).toContain('Done.');
  });
});

it('what no call of which could run is neither counted nor found', async () => {
  const tools = many(40);
  const few = toolsOf(tools, { forbidden: ['mcp_box_tool_0'] });
  expect(few.declared()).not.toContain('find_tools');
  const found = await toolsOf(tools, { tools: 2, forbidden: ['mcp_box_tool_7'] }).find('tool_7');
  expect(found.text).not.toContain('mcp_box_tool_7\n');
});
