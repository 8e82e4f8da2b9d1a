/* Servers of extensions get what the person set for the extension. */

import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { NodeMcpProcesses } from '../../src/extension/node/mcpProcesses.ts';
import type { McpProcesses, McpProgram } from '../../src/extension/platform/mcp.ts';
import { ExtensionWorld } from '../support/extensionWorld.ts';
import { mcpWorld } from './support/mcpWorld.ts';

const program = join(import.meta.dirname, 'support/hostileServer.ts');
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Real processes, and what they were started with. */
class ToldProcesses implements McpProcesses {
  readonly programs: McpProgram[] = [];
  private readonly real = new NodeMcpProcesses({ PATH: process.env.PATH, HOME: process.env.HOME });

  start(started: McpProgram) {
    this.programs.push(started);
    return this.real.start(started);
  }

  dispose(): Promise<void> {
    return this.real.dispose();
  }
}

test('a server waits with one sentence until its extension is set up, and starts again with another value', async () => {
  const extensions = await ExtensionWorld.make();
  ends.push(() => extensions.dispose());
  const processes = new ToldProcesses();
  const world = await mcpWorld({ processes });
  ends.push(world.end);
  const { additions } = extensions;
  await extensions.install('tides', {
    settings: [{ name: 'API key', envVar: 'TIDE_KEY', sensitive: true }],
    mcpServers: { tide: { command: process.execPath, args: [program, 'fine'] } },
  });
  world.servers.set(await additions.readServers());
  expect(world.row('tide').status).toEqual({
    kind: 'failed',
    reason:
      'The extension tides needs API key (TIDE_KEY). Use “Folio: Set Up Extension”, or name it in the .env of the extension.',
  });
  const [{ manifest }] = additions.extensions.list as [(typeof additions.extensions.list)[0]];
  for (const value of ['one', 'two']) {
    await additions.extensions.set(manifest, manifest.settings[0]!, value);
    world.servers.set(await additions.readServers());
    await world.until('tide', 'ready');
  }
  expect(processes.programs.map(({ env }) => env.TIDE_KEY)).toEqual(['one', 'two']);
  expect(JSON.stringify(world.servers.list(path => path))).not.toContain('two');
});
