import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAgentOverridesFromSettings } from '../../../src/extension/core/agents/agentOverrides.ts';
import type { CustomFile } from '../../../src/extension/platform/customizations/customFiles.ts';
import { eachTest } from '../../support/eachTest.ts';
import { call, text } from '../../support/geminiAnswers.ts';
import { lastResults } from '../../support/geminiServer.ts';
import { HeadlessWorld } from '../../support/headlessWorld.ts';

describe('settings of single agents', () => {
  const file = (content: unknown, kind: 'person' | 'workspace' = 'person') =>
    ({
      kind: 'settings',
      name: 's',
      path: '/s.json',
      origin: { kind },
      content,
      text: '',
    }) as unknown as CustomFile;
  const read = (content: unknown, kind?: 'workspace') => {
    const { byName, problems } = readAgentOverridesFromSettings([file(content, kind)]);
    return { byName: Object.fromEntries(byName), problems };
  };

  it.each([
    [
      'runConfig and modelConfig',
      {
        agents: {
          overrides: {
            generalist: {
              runConfig: { maxTurns: 3, maxTimeMinutes: 2 },
              modelConfig: { model: 'flash', generateContentConfig: { temperature: 0.5 } },
            },
          },
        },
      },
      { generalist: { maxTurns: 3, maxMs: 120_000, model: 'flash', temperature: 0.5 } },
      [],
    ],
    [
      'the older form of the investigator, and what it cannot have',
      {
        experimental: {
          codebaseInvestigatorSettings: {
            maxNumTurns: 9,
            maxTimeMinutes: 1,
            model: 'pro',
            thinkingBudget: 100,
          },
        },
      },
      { codebase_investigator: { maxTurns: 9, maxMs: 60_000, model: 'pro' } },
      [expect.stringMatching(/thinkingBudget is ignored.*\/effort/)],
    ],
    [
      'values that cannot be used',
      { 'agents.overrides': { x: { runConfig: { maxTurns: 0, maxTimeMinutes: '5', other: 1 } } } },
      { x: {} },
      [
        expect.stringMatching(/maxTurns is ignored: its value/),
        expect.stringMatching(/maxTimeMinutes is ignored: its value/),
        expect.stringMatching(/other is ignored/),
      ],
    ],
    ['a switch alone', { agents: { overrides: { x: { enabled: false } } } }, {}, []],
  ])('%s', (_what, content, byName, problems) => {
    expect(read(content)).toEqual({ byName, problems });
  });

  it('of a workspace have no effect, and it is said', () => {
    const content = { agents: { overrides: { x: { runConfig: { maxTurns: 900 } } } } };
    expect(read(content, 'workspace')).toEqual({
      byName: {},
      problems: [expect.stringContaining('only your own settings')],
    });
  });
});

describe('an agent in a run', () => {
  const world = eachTest(() => HeadlessWorld.make());

  async function put(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(world.home, path)), { recursive: true });
    await writeFile(join(world.home, path), content);
  }
  const run = () => world.run(['--prompt', 'go'], { env: { HOME: world.home, USERPROFILE: world.home } });
  const report = { SummaryOfFindings: 'All in a.ts', ExplorationTrace: [], RelevantLocations: [] };
  const invoke = call('invoke_agent', { agent_name: 'codebase_investigator', prompt: 'Look' });

  it.each([
    ['an object', { report }],
    ['a text of JSON', { report: JSON.stringify(report) }],
    ['the keys themselves', report],
  ])('hands in its report as %s', async (_what, args) => {
    world.server.script([invoke], [call('complete_task', args)], [text('Done.')]);
    expect((await run()).code).toBe(0);
    expect(JSON.stringify(lastResults(world.server.requests.at(-1)!))).toContain('All in a.ts');
  });

  it.each([
    ['as a tool', 'toolName = "codebase_investigator"'],
    ['as the one that calls', 'subagent = "codebase_investigator"\ntoolName = "*"'],
  ])('is not offered where a rule denies its name %s', async (_what, condition) => {
    await put('.folio/policies/mine.toml', `[[rule]]\n${condition}\ndecision = "deny"\npriority = 1\n`);
    world.server.script([invoke], [text('Done.')]);
    expect((await run()).code).toBe(0);
    const [first, second] = world.server.requests;
    expect(JSON.stringify(first!.body)).not.toContain('codebase_investigator:');
    expect(JSON.stringify(first!.body)).toContain('generalist');
    expect(JSON.stringify(lastResults(second!))).toContain('There is no agent');
  });

  it('works no longer than the settings let it', async () => {
    const overrides = { codebase_investigator: { runConfig: { maxTurns: 1 } } };
    await put('.gemini/settings.json', JSON.stringify({ agents: { overrides } }));
    world.server.script(
      [invoke],
      [call('list_directory', { dir_path: '.' })],
      [call('complete_task', report)],
      [text('Done.')],
    );
    expect((await run()).code).toBe(0);
    // The second step has only the report left.
    const names = JSON.stringify(world.server.requests[2]!.body.tools);
    expect(names).toContain('complete_task');
    expect(names).not.toContain('list_directory');
  });
});
