/* Two more servers that people use. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { type McpWorld, mcpWorld, packaged, serverEntry } from './support/mcpWorld.ts';

async function reach(name: string, args: readonly string[], env: object = {}): Promise<McpWorld> {
  const world = await mcpWorld();
  onTestFinished(world.end);
  const program = packaged(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const given = args.map(arg => arg.replace('@', world.folder));
  world.set({ box: { command: process.execPath, args: [program, ...given], env } });
  await world.until('box', 'ready');
  return world;
}

async function use(world: McpWorld, tool: string, args: object) {
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  return await call.use(world.tool(`mcp_box_${tool}`), args);
}

test('the server of files reads and writes where the workspace is, and nowhere else', async () => {
  const world = await reach('filesystem', ['@']);
  const file = join(world.folder, 'a.txt');
  await writeFile(file, 'one\n');
  expect((await use(world, 'read_text_file', { path: file })).text).toContain('one');
  await use(world, 'write_file', { path: file, content: 'two\n' });
  expect(await readFile(file, 'utf8')).toBe('two\n');
  await mkdir(join(world.folder, 'sub'));
  expect((await use(world, 'list_directory', { path: world.folder })).text).toContain('[DIR] sub');
  await expect(use(world, 'read_text_file', { path: '/etc/hostname' })).rejects.toThrow(/denied/i);
});

test('what a server says of its tools decides how they are asked about, unless a workspace brings it', async () => {
  const world = await reach('filesystem', ['@']);
  expect(world.tool('mcp_box_read_text_file').effect).toBe('read');
  expect(world.tool('mcp_box_write_file').effect).toBe('run');
  const program = packaged('@modelcontextprotocol/server-filesystem/dist/index.js');
  const value = { command: process.execPath, args: [program, world.folder], trust: true };
  world.servers.set([serverEntry('box', value, { kind: 'workspace' })]);
  await world.until('box', 'ready');
  expect(world.tool('mcp_box_read_text_file').effect).toBe('run');
  expect(world.servers.trusted).toEqual([]);
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  const prepared = await call.prepare(world.tool('mcp_box_write_file'), { path: 'a', content: 'b' });
  expect(prepared.target).toMatchObject({
    kind: 'mcp',
    server: 'box',
    tool: 'write_file',
    ofWorkspace: true,
    hints: { readOnlyHint: false },
  });
  expect(prepared.subject).toMatchObject({ kind: 'other', detail: expect.stringContaining('write_file') });
});

test('the server of memory keeps what it is told, and its structure comes once', async () => {
  const world = await reach('memory', [], { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
  await use(world, 'create_entities', { entities });
  const graph = (await use(world, 'read_graph', {})).text;
  expect(graph).toContain('wrote the first program');
  expect(graph.match(/first program/g)).toHaveLength(1);
  expect(await readFile(join(world.folder, 'memory.jsonl'), 'utf8')).toContain('Ada');
});
