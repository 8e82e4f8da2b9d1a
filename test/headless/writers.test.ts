import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writerNames } from '../../src/protocol/changes.ts';
import { eachTest } from '../support/eachTest.ts';
import type { Answer } from '../support/geminiAnswers.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const filesystemServer = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

describe.skipIf(process.platform === 'win32')('what was written waits for review with the name of', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    for (const folder of [world.home, world.workspace])
      await mkdir(join(folder, '.gemini'), { recursive: true });
    await initRepository(world.workspace, { 'a.txt': 'one\ntwo\n' });
  });

  const configure = (folder: string, settings: object) =>
    writeFile(join(folder, '.gemini', 'settings.json'), JSON.stringify(settings));

  /** The names of the writers in the newest review of the file. */
  async function writersOf(name: string, ...answers: readonly Answer[]): Promise<readonly string[]> {
    world.server.script(...answers);
    const { code, out, error } = await world.run(
      [
        ...['--prompt', 'Go', '--approval-mode', 'yolo', '--trusted', '--server-start', '240'],
        ...['--output-format', 'stream-json'],
      ],
      { env: { HOME: world.home, USERPROFILE: world.home } },
    );
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const path = join(world.workspace, name);
    const reported = eventsOf(out).flatMap(event =>
      event.type === 'review.changed' && event.path === path ? [event.review] : [],
    );
    return reported.at(-1)?.hunks.flatMap(writerNames) ?? [];
  }

  it('a server and its tool', async () => {
    const server = { command: process.execPath, args: [filesystemServer, world.workspace], trust: true };
    await configure(world.home, { mcpServers: { jira: server } });
    const path = join(world.workspace, 'a.txt');
    const names = await writersOf(
      'a.txt',
      [call('mcp_jira_write_file', { path, content: 'one\n2\n' })],
      [text('Done.')],
    );
    expect(names).toEqual([expect.stringMatching(/^jira: Write File/)]);
  });

  it('a tool that the workspace brings, by its command', async () => {
    await configure(world.workspace, {
      tools: { discoveryCommand: './tools list', callCommand: './tools call' },
    });
    const list = JSON.stringify([{ name: 'bump', description: 'Bumps.', parameters: { type: 'OBJECT' } }]);
    const script = `#!/bin/bash\nif [ "$1" = list ]; then echo '${list}'; else sed -i s/two/2/ a.txt; fi\n`;
    await writeFile(join(world.workspace, 'tools'), script);
    await chmod(join(world.workspace, 'tools'), 0o755);
    const names = await writersOf('a.txt', [call('discovered_tool_bump', {})], [text('Done.')]);
    expect(names).toEqual(['./tools call bump']);
  });

  it('a hook, beside the call that it came after', async () => {
    const format = { type: 'command', name: 'tidy', command: 'sed -i s/two/2/ a.txt' };
    await configure(world.home, { hooks: { AfterTool: [{ matcher: 'write_file', hooks: [format] }] } });
    const names = await writersOf(
      'a.txt',
      [call('read_file', { file_path: 'a.txt' })],
      [call('write_file', { file_path: 'a.txt', content: 'ONE\ntwo\n' })],
      [text('Done.')],
    );
    expect(names).toEqual(['Write a.txt', 'Hook tidy']);
  });

  it('a subagent', async () => {
    await mkdir(join(world.workspace, '.claude', 'agents'), { recursive: true });
    await writeFile(
      join(world.workspace, '.claude', 'agents', 'mender.md'),
      '---\nname: mender\ndescription: Mends\ntools: Read, Write, Bash\n---\nYou mend.\n',
    );
    const names = await writersOf(
      'a.txt',
      [call('invoke_agent', { agent_name: 'mender', prompt: 'Mend a.txt' })],
      [call('read_file', { file_path: 'a.txt' })],
      [call('write_file', { file_path: 'a.txt', content: 'ONE\ntwo\n' })],
      [call('run_shell_command', { command: 'sed -i s/two/2/ a.txt' })],
      [call('complete_task', { result: 'Mended.' })],
      [text('Done.')],
    );
    expect(names).toEqual(['Write a.txt (agent mender)', 'sed -i s/two/2/ a.txt (agent mender)']);
  });
});
