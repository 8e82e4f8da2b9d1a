import { expect, onTestFinished, test } from 'vitest';
import { PolicyWorld } from '../../support/policyWorld.ts';

async function classify(
  server: string,
  mode: 'default' | 'plan',
  files: Readonly<Record<string, string>> = {},
) {
  const world = await PolicyWorld.make({ trustedServers: ['mine'], files });
  onTestFinished(() => world.dispose());
  const target = { kind: 'mcp', server, tool: 'act' } as const;
  const query = { tool: `mcp_${server}_act`, effect: 'run', args: {}, target, mode } as const;
  return (await world.policy.classify(query)).kind;
}

test('tools of a server that the user trusts run unasked, those of others ask', async () => {
  expect(await classify('mine', 'default')).toBe('allow');
  expect(await classify('other', 'default')).toBe('ask');
});

test('trust opens nothing that plan mode or a written rule closes', async () => {
  expect(await classify('mine', 'plan')).toBe('deny');
  const rule = (decision: string) => ({
    'home/.gemini/policies/mine.toml': `[[rule]]\nmcpName = "mine"\ndecision = "${decision}"\npriority = 100\n`,
  });
  expect(await classify('mine', 'default', rule('ask_user'))).toBe('ask');
  expect(await classify('mine', 'default', rule('deny'))).toBe('deny');
});
