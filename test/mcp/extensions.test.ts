/* Servers of extensions get what the user set for the extension. */

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { NodeServerProcesses } from '../../src/extension/node/processes/serverProcesses.ts';
import type { ServerProcesses, ServerProgram } from '../../src/extension/platform/serverProcesses.ts';
import { ExtensionWorld } from '../support/extensionWorld.ts';
import { InstallWorld } from '../support/installWorld.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { mcpWorld, packaged } from './support/mcpWorld.ts';

const everything = packaged('@modelcontextprotocol/server-everything/dist/index.js');

const program = join(import.meta.dirname, 'support/hostileServer.ts');

/** Real processes, and what they were started with. */
class ReportedProcesses implements ServerProcesses {
  readonly programs: ServerProgram[] = [];
  private readonly real = new NodeServerProcesses({ PATH: process.env.PATH, HOME: process.env.HOME });

  start(started: ServerProgram) {
    this.programs.push(started);
    return this.real.start(started);
  }

  dispose(): Promise<void> {
    return this.real.dispose();
  }
}

test('a server waits with one sentence until its extension is set up, and starts again with another value', async () => {
  const extensions = await ExtensionWorld.make();
  onTestFinished(() => extensions.dispose());
  const processes = new ReportedProcesses();
  const world = await mcpWorld({ processes });
  onTestFinished(world.end);
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

test('a server starts again when an update changed a file of its extension, and not without one', async () => {
  const home = await InstallWorld.make();
  onTestFinished(() => home.dispose());
  const processes = new ReportedProcesses();
  const world = await mcpWorld({ processes });
  onTestFinished(world.end);
  const tide = { command: process.execPath, args: [program, 'fine', '${extensionPath}/tables.json'] };
  const source = await home.write('source', {
    'gemini-extension.json': { name: 'tides', mcpServers: { tide } },
    'tables.json': '1',
  });
  const refresh = async () => {
    world.servers.set(await home.own.additions.readServers());
    await world.until('tide', 'ready');
    return processes.programs.length;
  };
  await home.run(`/extensions install ${source}`);
  expect(await refresh()).toBe(1);
  // What a server writes into its folder is no change of the source.
  await writeFile(join(home.home, '.gemini', 'extensions', 'tides', 'cache.js'), '');
  await home.run('/extensions update');
  expect(await refresh()).toBe(1);
  await home.write('source', { 'tables.json': '2' });
  await home.run('/extensions update');
  expect(await refresh()).toBe(2);
});

test('what the user set is in nothing that is shown or logged of its servers, however they fail', async () => {
  const secret = 'tide-4711-low-water';
  const extensions = await ExtensionWorld.make();
  onTestFinished(() => extensions.dispose());
  const world = await mcpWorld();
  onTestFinished(world.end);
  const web = createServer((request, response) => {
    response.statusCode = 500;
    response.end(`${request.url} ${request.headers['x-key']}`);
  });
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void web.close());
  const { port } = web.address() as AddressInfo;
  const chatty = 'console.error("I use", process.env.TIDE_KEY, process.argv.at(-1)); process.exit(1)';
  const { additions } = extensions;
  await extensions.install('tides', {
    settings: [{ name: 'API key', envVar: 'TIDE_KEY', sensitive: true }],
    mcpServers: {
      chatty: { command: process.execPath, args: ['-e', chatty, '${TIDE_KEY}'] },
      nowhere: { command: 'folio-no-such-program-$TIDE_KEY', cwd: '${extensionPath}/$TIDE_KEY' },
      web: { httpUrl: `http://127.0.0.1:${port}/\${TIDE_KEY}`, headers: { 'x-key': '$TIDE_KEY' } },
      events: { url: `http://127.0.0.1:${port}/?key=\${TIDE_KEY}`, type: 'sse' },
      odd: { url: 'tide://${TIDE_KEY}' },
    },
  });
  const [{ manifest }] = additions.extensions.list as [(typeof additions.extensions.list)[0]];
  await additions.extensions.set(manifest, manifest.settings[0]!, secret);
  world.servers.set(await additions.readServers());
  for (const name of ['chatty', 'nowhere', 'web', 'events', 'odd']) await world.settled(name);
  const shown = JSON.stringify([world.servers.list(path => path), world.logged, additions.problems]);
  expect(shown).toContain('I use [masked] [masked]');
  expect(shown).toContain('tides/[masked] does not exist');
  expect(shown.split(secret)).toHaveLength(1);
});

test('what a server gives back of a secret, and of nothing else, is hidden before the model gets it', async () => {
  const extensions = await ExtensionWorld.make();
  onTestFinished(() => extensions.dispose());
  const world = await mcpWorld();
  onTestFinished(world.end);
  const { additions } = extensions;
  await extensions.install(
    'tides',
    {
      settings: [
        { envVar: 'TIDE_KEY', sensitive: true },
        { envVar: 'TIDE_PORT' },
        { envVar: 'PIN', sensitive: true },
      ],
      mcpServers: { all: { command: process.execPath, args: [everything, 'stdio'] } },
    },
    { '.env': 'TIDE_KEY=tide-4711-low-water\nTIDE_PORT=48231-open\nPIN=hell\n' },
  );
  world.servers.set(await additions.readServers());
  await world.until('all', 'ready');
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  const { text } = await call.use(world.tool('mcp_all_get-env'), {});
  expect(text).toContain('"TIDE_KEY": "[masked]"');
  expect(text).toContain('48231-open');
  const reported = await call.use(world.tool('mcp_all_echo'), { message: 'hello tide-4711-low-water' });
  expect(reported.text).toContain('Echo: hello [masked]');
});
