import { describe, expect, it } from 'vitest';
import { wordsOfLine } from '../../src/extension/platform/settingFiles/externalAgents.ts';
import { parseRegistry, wellKnown } from '../../src/extension/vscode/features/sessions/agentRegistry.ts';

const npx = { package: '@acme/agent@1.2.0', args: ['--acp'], env: { MODE: 'acp' } };

describe('the list of a registry', () => {
  it('gives the agents that a package runner can start, with their arguments and variables', () => {
    const agents = [
      { id: 'acme', name: 'Acme', description: 'An agent', distribution: { npx } },
      { id: 'snake', name: 'Snake', distribution: { uvx: { package: 'snake' } } },
    ];
    expect(parseRegistry({ version: '1', agents })).toEqual([
      {
        name: 'Acme',
        description: 'An agent',
        command: { command: 'npx', args: ['-y', '@acme/agent@1.2.0', '--acp'], env: { MODE: 'acp' } },
      },
      { name: 'Snake', description: '', command: { command: 'uvx', args: ['snake'], env: {} } },
    ]);
  });

  it('leaves out what is no agent, needs an archive, or would be an option of the runner', () => {
    const agents = [
      'text',
      { name: 'Archive', distribution: { binary: {} } },
      { name: 'Option', distribution: { npx: { package: '--node-options=x' } } },
      { name: 'Odd', distribution: { npx: { package: 'odd', args: [1] } } },
    ];
    expect(parseRegistry({ agents })).toEqual([]);
    expect(() => parseRegistry({ agents: {} })).toThrow('it is no list of agents');
  });
});

it('knows agents whose commands the setting takes', () => {
  expect(wellKnown.map(({ name }) => name)).toEqual(['Claude Code', 'Codex', 'Gemini CLI', 'opencode']);
});

it('keeps words in quotes together', () => {
  expect(wordsOfLine('"/my tools/agent" --acp --name=\'two words\'')).toEqual([
    '/my tools/agent',
    '--acp',
    '--name=two words',
  ]);
});
