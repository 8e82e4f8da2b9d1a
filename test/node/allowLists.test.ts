import { expect, onTestFinished, test } from 'vitest';
import { readRestrictions } from '../../src/extension/node/settings/allowLists.ts';
import type { Restrictions } from '../../src/extension/platform/managed/restrictions.ts';
import { mcpWorld } from '../mcp/support/mcpWorld.ts';

function restrict(folio: object): Restrictions {
  const { restrictions, problems } = readRestrictions({ folio }, '/settings.json');
  if (!restrictions) throw new Error(problems.join(' '));
  return restrictions;
}

test.each([
  [{ allowedModels: ['claude-*'] }, 'anthropic', 'claude-sonnet-4-6', undefined],
  [{ allowedModels: ['claude-*'] }, 'anthropic', 'CLAUDE-SONNET-4-6', undefined],
  [
    { allowedModels: ['claude-*'] },
    'openai',
    'not-claude-1',
    /does not allow the model not-claude-1\. It allows claude-\*/,
  ],
  [{ allowedModels: ['claude-opus-4-1'] }, 'anthropic', 'claude-opus-4-10', /claude-opus-4-10/],
  [{ allowedModels: ['anthropic:*'] }, 'anthropic', 'any', undefined],
  [{ allowedModels: ['anthropic:*'] }, 'bedrock', 'any', /any/],
  [{ allowedModels: ['a.b'] }, 'openai', 'a-b', /a-b/],
  [{ allowedModels: [] }, 'openai', 'a', /does not allow the model a\.$/],
  [{ allowedProviders: ['bedrock'] }, 'anthropic', 'claude-1', /provider anthropic\. It allows bedrock/],
  [{ allowedProviders: ['bedrock'] }, 'bedrock', 'whatever', undefined],
] as const)('%j has %s asked for %s: %s', (folio, provider, id, why) => {
  const refused = restrict(folio).refuseModel(provider, id);
  if (why === undefined) expect(refused).toBeUndefined();
  else expect(refused).toMatch(why);
});

test('what is listed of models is what may be asked, the same list each time', () => {
  const restrictions = restrict({ allowedModels: ['a*'] });
  const models = [{ id: 'a1' }, { id: 'b1' }];
  const picked = restrictions.pickModels('openai', models);
  expect(picked).toEqual([{ id: 'a1' }]);
  expect(restrictions.pickModels('openai', models)).toBe(picked);
});

const acme = { serverUrl: 'https://*.acme.example/*' };

test.each([
  [[acme], { url: 'https://mcp.acme.example/a?b' }, true],
  [[acme], { url: 'https://mcp.acme.example' }, true],
  [[acme], { url: 'https://evil.example/.acme.example/' }, false],
  [[acme], { url: 'https://evil.example#.acme.example/' }, false],
  [[acme], { url: 'https://a.acme.example@evil.example/' }, false],
  [[acme], { url: 'https://${input:host}.acme.example/' }, false],
  [[acme], { url: 'http://mcp.acme.example/' }, false],
  [[acme], { url: 'https://mcp.acme.example:8443/' }, false],
  [[acme], { url: 'https://mcp.acme.example.evil.example/' }, false],
  [[acme], { command: ['https://mcp.acme.example/'] }, false],
  [[{ serverUrl: 'http://localhost:*' }], { url: 'http://localhost:7777/mcp' }, true],
  [[{ serverCommand: ['npx', '-y', 'a'] }], { command: ['npx', '-y', 'a'] }, true],
  [[{ serverCommand: ['npx', '-y', 'a'] }], { command: ['npx', '-y', 'a', 'b'] }, false],
  [[{ serverCommand: ['npx', '-y', 'a'] }], { command: ['npx', '-y'] }, false],
  [[{ serverCommand: ['npx'] }], { url: 'https://a.example/' }, false],
  [[{ serverName: 'web' }], { url: 'https://a.example/' }, true],
  [[{ serverName: 'other' }, acme], { url: 'https://a.acme.example/' }, true],
  [[{ serverName: 'other', ...acme }], { url: 'https://a.acme.example/' }, false],
  [[], { command: ['npx'] }, false],
] as const)('with %j a server of %j runs: %s', (allowedServers, server, runs) => {
  const refused = restrict({ allowedServers }).refuseServer({ name: 'web', ...server });
  expect(refused === undefined).toBe(runs);
});

test('a server that is not allowed does not start, whoever configured it, and says why', async () => {
  const restrictions = restrict({ allowedServers: [acme] });
  const world = await mcpWorld({ restrictions });
  onTestFinished(() => world.end());
  world.set({ own: { command: process.execPath, args: ['server.js'] } });
  expect(world.row('own').status).toEqual({
    kind: 'failed',
    reason: 'Your organization does not allow the server own. Ask it to add this one.',
  });
  expect(() => world.servers.restart('own')).toThrow('There is no server own.');
  expect(world.processes.started).toEqual([]);
});
