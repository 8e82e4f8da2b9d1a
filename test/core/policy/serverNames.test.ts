/* Names are what servers choose: none may get by its name what was meant for another. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { matchesWildcard } from '../../../src/extension/base/wildcard.ts';
import type { PolicyQuery } from '../../../src/extension/core/policy/policyQuery.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';

async function withRules(...rules: readonly string[]): Promise<PolicyWorld> {
  const text = rules.map(rule => `[[rule]]\n${rule}\npriority = 100\n`).join('');
  const world = await PolicyWorld.make({ files: { 'home/.gemini/policies/mine.toml': text } });
  onTestFinished(() => world.dispose());
  return world;
}

function call(tool: string, server: string, own: string, more: Partial<PolicyQuery> = {}): PolicyQuery {
  const target = { kind: 'mcp', server, tool: own } as const;
  return { tool, effect: 'run', args: {}, mode: 'default', target, ...more };
}

describe('a tool of a server', () => {
  test('gets nothing by being called like one of Folio', async () => {
    const { policy } = await withRules('toolName = "write_file"\ndecision = "allow"');
    expect((await policy.classify(call('mcp_evil_write_file', 'evil', 'write_file'))).kind).toBe('ask');
  });

  test('is forbidden by its own name, whatever it is called for the model', async () => {
    const { policy } = await withRules(
      'mcpName = "git hub"\ntoolName = "delete"\ndecision = "deny"',
      'toolName = "drop"\ndecision = "deny"',
    );
    const kinds = await Promise.all([
      policy.classify(call('mcp_git_hub_delete', 'git hub', 'delete')),
      policy.classify(call('mcp_git_hub_delete_0a1b2c3d', 'git hub', 'delete')),
      policy.classify(call('mcp_db_drop_0a1b2c3d', 'db', 'drop')),
    ]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['deny', 'deny', 'deny']);
  });
});

describe('a server that the workspace brings', () => {
  const own = { kind: 'mcp', server: 'github', tool: 'list' } as const;
  const brought = { ...own, ofWorkspace: true } as const;

  test('does not get what was allowed everywhere to one of its name', async () => {
    const { policy } = await withRules('toolName = "x"\ndecision = "allow"');
    const asked = await policy.classify(call('mcp_github_list', 'github', 'list'));
    const everywhere = asked.kind === 'ask' ? asked.always.find(({ scope }) => scope === 'user') : undefined;
    expect(await policy.remember(everywhere!)).toBeUndefined();
    expect((await policy.classify(call('mcp_github_list', 'github', 'list'))).kind).toBe('allow');
    const other = await policy.classify(call('mcp_github_list', 'github', 'list', { target: brought }));
    expect(other.kind).toBe('ask');
    const scopes = other.kind === 'ask' ? other.always.map(({ scope }) => scope) : [];
    expect(new Set(scopes)).toEqual(new Set(['session', 'workspace']));
    const here = other.kind === 'ask' ? other.always.find(({ scope }) => scope === 'workspace') : undefined;
    await policy.remember(here!);
    expect((await policy.classify(call('mcp_github_list', 'github', 'list', { target: brought }))).kind).toBe(
      'allow',
    );
  });

  test('is asked about also where it says that it only reads, as for its resources', async () => {
    const { policy } = await withRules('toolName = "x"\ndecision = "allow"');
    const read = { effect: 'read', target: brought } as const;
    expect((await policy.classify(call('read_mcp_resource', 'github', 'list', read))).kind).toBe('ask');
    expect(
      (await policy.classify(call('read_mcp_resource', 'github', 'list', { ...read, mode: 'plan' }))).kind,
    ).toBe('deny');
    expect(
      (await policy.classify(call('read_mcp_resource', 'github', 'list', { effect: 'read' }))).kind,
    ).toBe('allow');
  });
});

test.each([
  ['*', '', true],
  ['a*', 'a', true],
  ['*a', 'ba', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*b*', 'abc', true],
  ['a.c', 'abc', false],
  ['abc', 'abcd', false],
  [`${'*a'.repeat(40)}*b`, 'a'.repeat(5_000), false],
])('the pattern %s against %s', (pattern, name, matches) => {
  expect(matchesWildcard(pattern, name)).toBe(matches);
});
