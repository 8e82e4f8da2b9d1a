/* Rules that depend on who calls and on what a server says of its tool. */

import { afterEach, describe, expect, test } from 'vitest';
import type { CallTarget, ToolAnnotations } from '../../../src/extension/core/tool.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';

let world: PolicyWorld | undefined;
afterEach(() => world?.dispose());

async function withRule(table: string): Promise<PolicyWorld> {
  const files = { 'home/.folio/policies/mine.toml': `[[rule]]\n${table}\npriority = 100\n` };
  world = await PolicyWorld.make({ files });
  return world;
}

async function classifyTool(
  table: string,
  hints: ToolAnnotations | undefined,
  ofWorkspace?: true,
): Promise<string> {
  const { policy } = await withRule(table);
  const target: CallTarget = { kind: 'mcp', server: 'jira', tool: 'find', hints, ofWorkspace };
  const query = { tool: 'mcp_jira_find', effect: 'run', args: {}, mode: 'default', target } as const;
  return (await policy.classify(query)).kind;
}

describe('a rule by what a server says of its tool', () => {
  const allow = 'mcpName = "*"\ntoolAnnotations = { readOnlyHint = true }\ndecision = "allow"';
  const deny = 'mcpName = "*"\ntoolAnnotations = { destructiveHint = true }\ndecision = "deny"';

  test.each<[string, ToolAnnotations | undefined, string]>([
    ['says so', { readOnlyHint: true, openWorldHint: false }, 'allow'],
    ['says the opposite', { readOnlyHint: false }, 'ask'],
    ['says nothing', {}, 'ask'],
    ['has nothing to say', undefined, 'ask'],
  ])(
    'that allows what only reads lets a tool run whose server %s as told',
    async (_says, hints, expected) => {
      expect(await classifyTool(allow, hints)).toBe(expected);
    },
  );

  test('that allows does not believe a server that the workspace brings', async () => {
    expect(await classifyTool(allow, { readOnlyHint: true }, true)).toBe('ask');
  });

  test.each<[string, ToolAnnotations | undefined, string]>([
    ['says so', { destructiveHint: true }, 'deny'],
    ['says nothing, which means yes', undefined, 'deny'],
    ['says the opposite', { destructiveHint: false }, 'ask'],
    ['says that it only reads', { readOnlyHint: true }, 'ask'],
    ['says both', { readOnlyHint: true, destructiveHint: true }, 'deny'],
    ['says that it does more than read', { readOnlyHint: false }, 'deny'],
  ])('that forbids what destroys counts where the server %s', async (_says, hints, expected) => {
    expect(await classifyTool(deny, hints)).toBe(expected);
    expect(await classifyTool(deny, hints, true)).toBe(expected);
  });

  test('is not about tools of Folio', async () => {
    const { edit } = await actionsWith('toolAnnotations = { destructiveHint = true }\ndecision = "deny"');
    expect(await edit(undefined)).toBe('ask');
  });
});

test('a rule by the name of a subagent is about its calls alone', async () => {
  const { edit, list } = await actionsWith('toolName = "write_file"\nsubagent = "helper"\ndecision = "deny"');
  expect(await edit('helper')).toBe('deny');
  expect(await edit('other')).toBe('ask');
  expect(await edit(undefined)).toBe('ask');
  expect(await list()).toContain('Tool write_file of the subagent helper');
});

async function actionsWith(table: string) {
  const { policy } = await withRule(table);
  const target = { kind: 'paths', paths: ['a.ts'], access: 'write' } as const;
  return {
    edit: async (agent: string | undefined) => {
      const query = { tool: 'write_file', effect: 'edit', args: {}, mode: 'default', target, agent } as const;
      return (await policy.classify(query)).kind;
    },
    list: async () => (await policy.list()).map(({ subject }) => subject),
  };
}
