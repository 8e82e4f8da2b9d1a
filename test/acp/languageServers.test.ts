import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { beforeEach, expect, it } from 'vitest';
import { compiler } from '../lsp/support/lspWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { languageSample } from '../support/languagesContract.ts';
import { processesIn } from '../support/processesIn.ts';
import { AcpWorld } from './support/acpWorld.ts';

const { fs } = methods.client;

const world = eachTest(() => AcpWorld.make());

beforeEach(async () => {
  for (const [name, content] of Object.entries(languageSample))
    await writeFile(join(world.workspace, name), content);
});

it('a language server knows what stands unsaved in the editor, and ends with the session', async () => {
  const settings = join(world.folder, 'settings.json');
  const typescript = { command: process.execPath, args: [compiler, '--lsp', '--stdio'] };
  await writeFile(settings, JSON.stringify({ folio: { languageServers: { '*.ts': typescript } } }));
  const unsaved = `// Not saved yet.\n${languageSample['main.ts']}`;
  const client = await world.start({
    args: ['--settings', settings, '--server-start', '120'],
    capabilities: { fs: { readTextFile: true } },
    extend: app =>
      app.onRequest(fs.readTextFile, ({ params }) => {
        const name = params.path.slice(world.workspace.length + 1);
        const saved = languageSample[name as keyof typeof languageSample] ?? '';
        return { content: name === 'main.ts' ? unsaved : saved };
      }),
  });
  const sessionId = await client.newSession(world.workspace);
  world.server.script([call('find_symbol', { name: 'printAll', file_path: 'main.ts' })], [text('Found.')]);
  await client.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text: 'Where is it?' }],
  });
  // Opening a session asks for models, too.
  const last = world.server.requests.at(-1)!;
  expect(toolNames(last)).toContain('find_symbol');
  expect(lastResults(last)[0]?.output).toContain('4: export function printAll');
  await client.agent.request(methods.agent.session.close, { sessionId });
  expect((await processesIn(world.workspace)).filter(line => line.includes('--lsp'))).toEqual([]);
});
