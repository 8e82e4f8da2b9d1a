import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WebPeer } from '../mcp/support/webPeer.ts';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { toolNames } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const memory = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-memory/dist/index.js',
);
const command = `"${process.execPath}" "${memory}"`;

describe('/mcp in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let home: string;
  beforeEach(async () => {
    home = join(world.folder, 'home');
    await mkdir(join(home, '.gemini'), { recursive: true });
  });

  const run = (prompt: string, ...more: readonly string[]) =>
    world.run(['--prompt', prompt, '--server-start', '240', ...more], {
      env: { HOME: home, USERPROFILE: home },
    });
  const textOf = (folder: string) => readFile(join(folder, '.gemini', 'settings.json'), 'utf8');

  it('adds a server that the next run has, lists what it can do, and removes it', async () => {
    await writeFile(join(home, '.gemini', 'settings.json'), '{\n  // mine\n  "ui": {}\n}\n');
    const added = await run(`/mcp add --scope user --description "My notes" notes ${command}`);
    expect(added).toMatchObject({ code: 0, error: '' });
    expect(added.out).toMatch(
      /^The server notes is added and works\. It is active in all your workspaces and is stored in .+settings\.json\. It is used from the next run on\.\n$/,
    );
    expect(await textOf(home)).toContain('// mine');
    const listed = await run('/mcp list');
    expect(listed.out).toMatch(/- `notes`: runs, \d+ tools/);
    expect(listed.out).not.toContain('create_entities');
    const described = await run('/mcp desc');
    expect(described.out).toContain('My notes');
    expect(described.out).toMatch(/- `create_entities`: \w+/);
    world.server.script([text('Hi.')]);
    await run('Hello');
    expect(toolNames(world.server.requests[0]!)).toContain('mcp_notes_create_entities');
    const removed = await run('/mcp remove notes');
    expect(removed).toMatchObject({ code: 0, error: '' });
    expect(JSON.parse((await textOf(home)).replace('// mine', ''))).toEqual({ mcpServers: {}, ui: {} });
    expect((await run('/mcp list')).out).toBe('No servers are configured.\n');
  });

  it('adds one to the workspace that counts at once, since the user has just said so', async () => {
    const added = await run(`/mcp add --scope project notes ${command}`);
    expect(added).toMatchObject({ code: 0, error: '' });
    expect(added.out).toContain('It is active in this workspace and is stored in');
    expect(JSON.parse(await textOf(world.workspace))).toEqual({
      mcpServers: { notes: { command: process.execPath, args: [memory] } },
    });
    const listed = await run('/mcp list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.out).toContain('- `notes`: runs');
  });

  it('writes nothing for what does not start, for a broken file or into a restricted workspace', async () => {
    const failing = await run(`/mcp add notes "${process.execPath}" -- -e "process.exit(3)"`);
    expect(failing).toMatchObject({ code: 1, out: '' });
    expect(failing.error).toContain('The server notes was not added: ');
    const restricted = await run(`/mcp add notes ${command}`, '--untrusted');
    expect(restricted.error).toContain('The workspace is restricted, so no server is started.');
    await expect(textOf(world.workspace)).rejects.toMatchObject({ code: 'ENOENT' });
    const broken = '{ "mcpServers": {';
    await mkdir(join(world.workspace, '.gemini'));
    await writeFile(join(world.workspace, '.gemini', 'settings.json'), broken);
    const refused = await run(`/mcp add -s project notes ${command}`);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('is not valid JSON at line 1, so nothing was written.');
    expect(await textOf(world.workspace)).toBe(broken);
  });

  it('keeps a secret out of the file of the workspace, and says where it would be read in yours', async () => {
    const words = '--unchecked -H "Authorization: Bearer tide-0123456789" tides http://127.0.0.1:9/mcp';
    const refused = await run(`/mcp add -s project ${words}`);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain(
      'Nothing was written: a secret (Authorization) would be stored as plain text in',
    );
    expect(refused.error).not.toContain('tide-0123456789');
    await expect(textOf(world.workspace)).rejects.toMatchObject({ code: 'ENOENT' });
    const kept = await run(`/mcp add ${words}`);
    expect(kept).toMatchObject({ code: 0, error: '' });
    expect(kept.out).toContain('Its secret (Authorization) is stored in the file as plain text.');
    const named = words.replace('tide-0123456789', '$TIDE_TOKEN').replace(' tides ', ' more ');
    expect(await run(`/mcp add -s project ${named}`)).toMatchObject({ code: 0 });
    expect(await textOf(world.workspace)).toContain('"Bearer $TIDE_TOKEN"');
  });

  it.each(['http', 'sse'])('says at once why a server over %s cannot be reached', async type => {
    const peer = await WebPeer.start();
    const { url } = peer;
    await peer.end();
    const mcpServers = { tides: { url, type } };
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ mcpServers }));
    const reason = `It cannot be reached: connect ECONNREFUSED ${new URL(url).host}`;
    const why = `does not run: ${reason}`;
    const { out, error } = await run('/mcp');
    expect(error).toContain(`The server tides ${why}`);
    expect(out).toContain(why);
    const added = await run(`/mcp add --transport ${type} waves ${url}`);
    expect(added.error).toContain(`was not added: ${reason}`);
  });

  it('says in one sentence what it cannot do', async () => {
    for (const prompt of [
      '/mcp auth',
      '/mcp auth tides',
      '/mcp restart tides',
      '/mcp remove tides',
      '/mcp lst',
    ]) {
      const { code, out, error } = await run(prompt);
      expect([prompt, code, out]).toEqual([prompt, 1, '']);
      expect(error.trim().split('\n')).toHaveLength(1);
    }
  });
});
