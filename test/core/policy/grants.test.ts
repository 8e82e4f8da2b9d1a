/* What is allowed always to one tool or server must hold for no other, whatever they are called. */

import { describe, expect, onTestFinished, test } from 'vitest';
import {
  addGrants,
  type GrantSubject,
  grantCovers,
  makeGrant,
  parseGrants,
  removeGrant,
} from '../../../src/extension/core/policy/grants.ts';
import type { CallTarget } from '../../../src/extension/core/tool.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';
import { anyCharacter, fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

/** Pieces of which names are made that might pass for patterns, for other names or for more of the file. */
const piece = fc.constantFrom(
  ...['jira', 'x', '_', '*', 'mcp_', '.', '^', '$', ' ', '"', "'", '\\', '#', '\n', '\r', '\t', '\u007f'],
  '\u2028',
  '\u2029',
  '\u0000',
  '\ufeff',
  '[[always]]',
  '\u2028[[always]]\u2028',
  '\n[[always]]\nserver = "jira"\n',
  '__proto__',
);
const anyName = fc.oneof(
  { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map(pieces => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }) },
);
const anyTool = fc.oneof({ weight: 9, arbitrary: anyName }, { weight: 1, arbitrary: fc.constant('') });
const named = fc.record({ server: anyName, tool: anyTool });

const called = (each: { readonly server: string; readonly tool: string }): CallTarget => ({
  kind: 'mcp',
  server: each.server,
  tool: each.tool,
});
const subjectsOf = ({ server, tool }: { readonly server: string; readonly tool: string }) =>
  [
    { kind: 'mcpTool', server, tool },
    { kind: 'mcpServer', server },
  ] as const satisfies readonly GrantSubject[];

describe('what was allowed always', () => {
  test('to agents at one address covers those alone, also once it was written down and read again', async () => {
    const grant = makeGrant(
      { kind: 'agentServer', origin: 'https://agents.example' },
      'workspace',
      '/project',
    );
    const [read] = await parseGrants(addGrants('', [grant]));
    expect(read).toMatchObject({ id: grant.id, subject: grant.subject, workspace: '/project' });
    expect(grantCovers(read!, { kind: 'agent', origin: 'https://agents.example' })).toBe(true);
    expect(grantCovers(read!, { kind: 'agent', origin: 'https://agents.example:8443' })).toBe(false);
    expect(grantCovers(read!, { kind: 'urls', urls: ['https://agents.example/'] })).toBe(false);
  });

  test('to a tool or a server covers that one alone, also once it was written down and read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(named, { minLength: 2, maxLength: 5 }), async all => {
        const [first] = all;
        const [tool, server] = subjectsOf(first!).map(subject => makeGrant(subject, 'user'));
        for (const [grant, isOnlyTool] of [[tool!, true] as const, [server!, false] as const]) {
          const [read] = await parseGrants(addGrants('', [grant]));
          expect(read).toMatchObject({ id: grant.id, subject: grant.subject });
          for (const each of all) {
            const isMeant = each.server === first!.server && (!isOnlyTool || each.tool === first!.tool);
            expect([grantCovers(grant, called(each)), grantCovers(read!, called(each))]).toEqual([
              isMeant,
              isMeant,
            ]);
          }
        }
      }),
      { numRuns: runSize({ test: 100, prove: 5000 }) },
    );
  });

  test('is undone alone, and the others stay', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(named, { minLength: 2, maxLength: 4, selector: JSON.stringify }),
        async all => {
          const grants = all.map(each => makeGrant(subjectsOf(each)[0], 'user'));
          const text = grants.reduce((before, grant) => addGrants(before, [grant]), '');
          const left = await parseGrants(await removeGrant(text, grants[0]!.id));
          expect(left.map(({ subject }) => subject)).toEqual(grants.slice(1).map(({ subject }) => subject));
        },
      ),
      { numRuns: runSize({ test: 100, prove: 3000 }) },
    );
  });

  test('to a tool whose name no file can hold is kept for the session, and spoils nothing of the file', async () => {
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const allow = async (server: string, tool: string) => {
      const asked = await world.mcp(server, tool);
      const offer = asked.kind === 'ask' ? asked.always.find(({ scope }) => scope === 'user') : undefined;
      return world.policy.remember(offer!);
    };
    expect(await allow('jira', 'good')).toBeUndefined();
    expect(await allow('jira', 'half \ud800')).toContain('holds in this session only');
    expect((await world.mcp('jira', 'half \ud800')).kind).toBe('allow');
    expect((await world.mcp('jira', 'half \ufffd')).kind).toBe('ask');
    world.policy = world.newSession();
    expect((await world.mcp('jira', 'half \ud800')).kind).toBe('ask');
    expect((await world.mcp('jira', 'good')).kind).toBe('allow');
  });

  test('to a server does not hold for one whose tools have names that begin alike', async () => {
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const asked = await world.mcp('jira', 'x_get');
    const offers = asked.kind === 'ask' ? asked.always.filter(({ scope }) => scope === 'user') : [];
    expect(offers.map(({ label }) => label)).toEqual(['Always use x_get of jira', 'Always use all of jira']);
    for (const offer of offers) await world.policy.remember(offer);
    expect((await world.mcp('jira', 'other')).kind).toBe('allow');
    // Called mcp_jira_x_get by the model, too.
    expect((await world.mcp('jira_x', 'get')).kind).toBe('ask');
  });

  test('to read the resources of a server does not let it call a tool like the one that reads them', async () => {
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const read = { kind: 'mcp', server: 'box', tool: '', ofWorkspace: true } as const;
    const asked = await world.call('read_mcp_resource', 'read', {}, read);
    const offer = asked.kind === 'ask' ? asked.always[0] : undefined;
    expect(offer?.label).toBe('Always read resources of box');
    await world.policy.remember(offer!);
    expect((await world.call('read_mcp_resource', 'read', {}, read)).kind).toBe('allow');
    const own = { ...read, tool: 'read_mcp_resource' } as const;
    expect((await world.call('mcp_box_read_mcp_resource', 'run', {}, own)).kind).toBe('ask');
  });

  test('counts no more, and is offered no more, where the settings want each to be asked about', async () => {
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const asked = await world.run('touch a');
    const offer = asked.kind === 'ask' ? asked.always.find(({ scope }) => scope === 'user') : undefined;
    await world.policy.remember(offer!);
    expect(await world.run('touch a')).toMatchObject({ kind: 'allow' });
    await world.write({ 'home/.gemini/settings.json': '{"security":{"disableAlwaysAllow":true}}' });
    await world.policy.refresh();
    expect(await world.run('touch a')).toMatchObject({ kind: 'ask', always: [] });
    expect(await world.edit('a.ts')).toMatchObject({ kind: 'ask', always: [] });
  });
});

test('a rule for mcp_jira_* is about a server jira_x, too; with mcpName it is about the one alone', async () => {
  const rule = (about: string) => `[[rule]]\n${about}\ndecision = "allow"\npriority = 100\n`;
  const classify = async (about: string) => {
    const world = await PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': rule(about) } });
    onTestFinished(() => world.dispose());
    return [(await world.mcp('jira', 'get')).kind, (await world.mcp('jira_x', 'get')).kind];
  };
  expect(await classify('toolName = "mcp_jira_*"')).toEqual(['allow', 'allow']);
  expect(await classify('mcpName = "jira"\ntoolName = "get"')).toEqual(['allow', 'ask']);
});
