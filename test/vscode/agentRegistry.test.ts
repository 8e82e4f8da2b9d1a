import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../src/extension/platform/settingFiles/externalAgents.ts';
import {
  parseRegistry,
  readRegistry,
  wellKnownAgents,
} from '../../src/extension/vscode/features/sessions/agentRegistry.ts';

const npx = { package: '@acme/agent@1.2.0', args: ['--acp'], env: { MODE: 'acp' } };

describe('the list of a registry', () => {
  it('that does not end is read up to its limit, and the connection is left', async () => {
    let sent = 0;
    const packet = Buffer.alloc(1_000_000, ' ');
    const server = createServer((_request, response) => {
      const send = () => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += packet.length;
          if (!response.write(packet)) return void response.once('drain', send);
        }
        response.end();
      };
      send();
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const reading = readRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(reading).rejects.toThrow('it is too large');
    await new Promise(resolve => server.close(resolve));
    expect(sent).toBeLessThan(50_000_000);
  });

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
    expect(() => parseRegistry({ agents: {} })).toThrow('it is not a list of agents');
  });
});

it('knows agents whose commands the setting takes', () => {
  expect(wellKnownAgents.map(({ name }) => name)).toEqual(['Claude Code', 'Codex', 'Gemini CLI', 'opencode']);
});

it('keeps words in quotes together', () => {
  expect(splitCommandLine('"/my tools/agent" --acp --name=\'two words\'')).toEqual([
    '/my tools/agent',
    '--acp',
    '--name=two words',
  ]);
});
