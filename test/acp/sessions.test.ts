import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { describeContainer, installDevcontainer } from '../support/devcontainer.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text, thought } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';
import { AcpWorld, type TestClient } from './support/acpWorld.ts';

const { session } = methods.agent;

const world = eachTest(() => AcpWorld.make());

/** A session with a chapter, an edit and a command, whose client has gone. */
async function workBefore(): Promise<string> {
  await writeFile(join(world.workspace, 'notes.txt'), 'one\ntwo\n');
  const client = await world.start({ args: ['--approval-mode', 'yolo'] });
  const sessionId = await client.newSession(world.workspace);
  world.server.script(
    [thought('Hm.'), call('create_new_topic', { title: 'Changing', summary: 'x' })],
    [call('replace', { file_path: 'notes.txt', instruction: 'x', old_string: 'two', new_string: 'three' })],
    [call('run_shell_command', { command: 'echo printed' })],
    [text('Changed.')],
  );
  await client.prompt(sessionId, 'Change the notes');
  await client.end();
  expect(client.faults).toEqual([]);
  return sessionId;
}

const load = (client: TestClient, sessionId: string) =>
  client.agent.request(session.load, { sessionId, cwd: world.workspace, mcpServers: [] });

describe('a session that is loaded again', () => {
  it('is told from its beginning before the answer, and continues', async () => {
    const sessionId = await workBefore();
    const client = await world.start();
    const loaded = await load(client, sessionId);
    expect(loaded.modes?.currentModeId).toBe('default');
    const kinds = client.updates.map(update => update.sessionUpdate);
    expect(kinds.slice(0, 3)).toEqual(['session_info_update', 'user_message_chunk', 'agent_thought_chunk']);
    expect(client.said('user_message_chunk')).toBe('Change the notes');
    expect(client.said('agent_message_chunk')).toBe('Changed.');
    expect(client.of('tool_call').map(({ title }) => title)).toEqual([
      'Chapter: Changing',
      'Edit notes.txt',
      'Run echo printed',
    ]);
    expect(client.of('tool_call_update')).toMatchObject([
      { status: 'completed' },
      {
        status: 'completed',
        content: [
          {
            type: 'diff',
            path: join(world.workspace, 'notes.txt'),
            oldText: 'one\ntwo\n',
            newText: 'one\nthree\n',
          },
        ],
      },
      { status: 'completed', content: [{ content: { text: expect.stringContaining('printed') } }] },
    ]);
    expect(client.of('plan').at(-1)?.entries).toMatchObject([{ content: 'Changing' }]);

    world.server.script([text('Continuing.')]);
    expect(await client.prompt(sessionId, 'continue')).toEqual({ stopReason: 'end_turn' });
    const asked = world.server.requests.at(-1)!;
    expect(JSON.stringify(asked.body.contents)).toContain('Change the notes');
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('without its history is resumed, and one that another process has open is refused in a sentence', async () => {
    const sessionId = await workBefore();
    const client = await world.start();
    const request = { sessionId, cwd: world.workspace, mcpServers: [] };
    await client.agent.request(session.resume, request);
    expect(client.said('user_message_chunk')).toBe('');
    const other = await world.start();
    await expect(load(other, sessionId)).rejects.toThrow('This session is open in another window.');
    await client.agent.request(session.close, { sessionId });
    await load(other, sessionId);
    expect(other.said('user_message_chunk')).toBe('Change the notes');
  });

  it('of another folder is refused', async () => {
    const sessionId = await workBefore();
    const client = await world.start();
    const cwd = join(world.folder, 'elsewhere');
    await mkdir(cwd);
    await expect(client.agent.request(session.load, { sessionId, cwd, mcpServers: [] })).rejects.toThrow(
      `belongs to ${world.workspace}`,
    );
  });
});

describe('the list of sessions', () => {
  it('has those in which something was asked, of all folders or of one, and loses what is deleted', async () => {
    const sessionId = await workBefore();
    const elsewhere = join(world.folder, 'elsewhere');
    await mkdir(elsewhere);
    const client = await world.start();
    const other = await client.newSession(elsewhere);
    world.server.script([text('Yes.')]);
    await client.prompt(other, 'Another thing');
    await client.newSession(world.workspace);

    const { sessions } = await client.agent.request(session.list, {});
    expect(sessions).toMatchObject([
      {
        sessionId: other,
        cwd: elsewhere,
        title: 'Another thing',
        updatedAt: expect.stringMatching(/^\d{4}-/),
      },
      { sessionId, cwd: world.workspace, title: 'Change the notes' },
    ]);
    const ofFolder = await client.agent.request(session.list, { cwd: world.workspace });
    expect(ofFolder.sessions.map(each => each.sessionId)).toEqual([sessionId]);
    const behind = await client.agent.request(session.list, { cursor: other });
    expect(behind.sessions.map(each => each.sessionId)).toEqual([sessionId]);
    await expect(client.agent.request(session.list, { cursor: 'gone' })).rejects.toThrow('begin again');

    await client.agent.request(session.delete, { sessionId: other });
    const left = await client.agent.request(session.list, {});
    expect(left.sessions.map(each => each.sessionId)).toEqual([sessionId]);
    expect(await readdir(join(world.folder, 'sessions', '.trash'))).toHaveLength(1);
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('side by side do not disturb each other', async () => {
    const client = await world.start();
    const [one, two] = [await client.newSession(world.workspace), await client.newSession(world.workspace)];
    world.server.afterScript(request => [
      text(JSON.stringify(request.body.contents).includes('first') ? 'One.' : 'Two.'),
    ]);
    await Promise.all([client.prompt(one, 'the first'), client.prompt(two, 'the second')]);
    expect(client.said('agent_message_chunk').split('.').sort()).toEqual(['', 'One', 'Two']);
  });
});

describe('a folder that the user distrusts', () => {
  it('is restricted for the session that works in it, and for no other', async () => {
    const distrusted = join(world.folder, 'distrusted');
    await mkdir(distrusted);
    await mkdir(join(world.folder, 'home/.gemini'), { recursive: true });
    const file = join(world.folder, 'home/.gemini/trustedFolders.json');
    await writeFile(file, JSON.stringify({ [distrusted]: 'DO_NOT_TRUST' }));
    const client = await world.start({ args: ['--approval-mode', 'yolo'] });
    world.server.afterScript(({ body }) =>
      JSON.stringify(body.contents).includes('functionResponse')
        ? [text('Well.')]
        : [call('write_file', { file_path: 'a.txt', content: 'a' })],
    );
    for (const cwd of [distrusted, world.workspace]) {
      await client.prompt(await client.newSession(cwd), 'write');
    }
    expect(await readdir(distrusted)).toEqual([]);
    expect(await readdir(world.workspace)).toEqual(['a.txt']);
    expect(client.errors).toContain('trustedFolders.json');
  });
});

describe('what a client can choose', () => {
  it('modes and models are offered, chosen and told', async () => {
    const client = await world.start();
    const begun = await client.agent.request(session.new, { cwd: world.workspace, mcpServers: [] });
    const { sessionId } = begun;
    expect(begun.modes).toMatchObject({
      currentModeId: 'default',
      availableModes: [
        { id: 'default', name: 'Ask first' },
        { id: 'autoEdit' },
        { id: 'plan' },
        { id: 'yolo' },
      ],
    });
    expect(begun.configOptions).toMatchObject([
      { id: 'mode', category: 'mode', currentValue: 'default' },
      {
        id: 'model',
        category: 'model',
        options: expect.arrayContaining([{ value: 'auto', name: 'Auto', description: expect.any(String) }]),
      },
      { id: 'place', category: '_place', currentValue: 'workspace' },
    ]);
    await client.agent.request(session.setMode, { sessionId, modeId: 'plan' });
    await expect.poll(() => client.of('current_mode_update').at(-1)).toMatchObject({ currentModeId: 'plan' });
    const [, models] = begun.configOptions ?? [];
    const value = models?.type === 'select' ? (models.options.at(-1) as { value: string }).value : '';
    const set = await client.agent.request(session.setConfigOption, { sessionId, configId: 'model', value });
    expect(set.configOptions[1]).toMatchObject({ id: 'model', currentValue: value });
    expect(set.configOptions[0]).toMatchObject({ id: 'mode', currentValue: 'plan' });

    world.server.script([text('Planned.')]);
    await client.prompt(sessionId, 'plan it');
    const asked = world.server.requests.findLast(({ method }) => method === 'streamGenerateContent')!;
    expect(asked.model).toBe(value);
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('a worktree is offered as the place, worked in, brought home and left', async () => {
    await initRepository(world.workspace, { 'notes.txt': 'one\n' });
    const client = await world.start({ args: ['--approval-mode', 'yolo'] });
    const begun = await client.agent.request(session.new, { cwd: world.workspace, mcpServers: [] });
    expect(begun.configOptions?.[2]).toMatchObject({ id: 'place', currentValue: 'workspace' });
    const { sessionId } = begun;
    const choose = async (value: string) => {
      const { configOptions } = await client.agent.request(session.setConfigOption, {
        sessionId,
        configId: 'place',
        value,
      });
      return configOptions[2];
    };
    expect(await choose('worktree')).toMatchObject({ currentValue: 'worktree' });
    world.server.script([call('write_file', { file_path: 'new.txt', content: 'new\n' })], [text('Written.')]);
    await client.prompt(sessionId, 'write');
    expect(await readdir(world.workspace)).toEqual(['.git', 'notes.txt']);
    await client.prompt(sessionId, '/worktree apply');
    expect(await readdir(world.workspace)).toEqual(['.git', 'new.txt', 'notes.txt']);
    expect(await choose('workspace')).toMatchObject({ currentValue: 'workspace' });
    world.server.script([text('Back.')]);
    await client.prompt(sessionId, 'go on');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('own folders again');
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'a container is offered as the place, agreed to and left',
    async () => {
      const { bin, inside } = await installDevcontainer(world.folder, world.workspace);
      await describeContainer(world.workspace);
      const env = { PATH: `${bin}:${process.env.PATH}` };
      const client = await world.start({ args: ['--approval-mode', 'yolo'], env });
      const sessionId = await client.newSession(world.workspace);
      const choose = async (value: string) => {
        const { configOptions } = await client.agent.request(session.setConfigOption, {
          sessionId,
          configId: 'place',
          value,
        });
        return configOptions[2];
      };
      expect(await choose('container')).toMatchObject({ currentValue: 'container' });
      expect(JSON.stringify(client.asked)).toContain('image: tiny');
      world.server.script([call('run_shell_command', { command: 'pwd' })], [text('Done.')]);
      await client.prompt(sessionId, 'where');
      expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain(inside);
      expect(await choose('workspace')).toMatchObject({ currentValue: 'workspace' });
      expect(await choose('container')).toMatchObject({ currentValue: 'container' });
      expect(client.asked).toHaveLength(1);
      await client.end();
      expect(client.faults).toEqual([]);
    },
  );

  it('a worktree of a folder without Git is refused in a sentence', async () => {
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    const request = { sessionId, configId: 'place', value: 'worktree' };
    await expect(client.agent.request(session.setConfigOption, request)).rejects.toThrow(
      'not a git repository',
    );
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('commands are offered, carried out, and refused in a sentence where there is none', async () => {
    await mkdir(join(world.folder, 'home/.gemini/commands'), { recursive: true });
    await writeFile(
      join(world.folder, 'home/.gemini/commands/greet.toml'),
      'description = "Greets"\nprompt = "Greet {{args}} warmly."\n',
    );
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    await expect.poll(() => client.of('available_commands_update').length).toBe(1);
    const { availableCommands } = client.of('available_commands_update')[0]!;
    expect(availableCommands).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'greet',
          description: 'Greets',
          input: { hint: expect.any(String) },
        }),
      ]),
    );
    expect(availableCommands.map(({ name }) => name)).not.toContain('rewind');

    world.server.script([text('Hello, Ada!')]);
    await client.prompt(sessionId, '/greet Ada');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('Greet Ada warmly.');
    await client.prompt(sessionId, '/tools');
    expect(client.said('agent_message_chunk')).toContain('read_file');
    expect(await client.prompt(sessionId, '/gret')).toEqual({ stopReason: 'end_turn' });
    expect(client.said('agent_message_chunk')).toContain('There is no command /gret. Did you mean /greet?');
    await client.end();
    expect(client.faults).toEqual([]);
  });
});
