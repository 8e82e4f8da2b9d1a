import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, invalidKey, text } from '../support/geminiAnswers.ts';
import type { Process } from '../support/headlessRun.ts';
import { processesIn } from '../support/processesIn.ts';
import { AcpWorld, type TestClient } from './support/acpWorld.ts';

const world = eachTest(() => AcpWorld.make());

const sleeping = 'echo it began; sleep 300';

/** A session in which a command runs that would never end in the time of a test. */
async function startCommand(process?: Process): Promise<{
  client: TestClient;
  sessionId: string;
  prompted: Promise<{ stopReason: string }>;
}> {
  const client = await world.start({ args: ['--approval-mode', 'yolo'], process });
  const sessionId = await client.newSession(world.workspace);
  world.server.script([call('run_shell_command', { command: sleeping })], [text('After it.')]);
  const prompted = client.prompt(sessionId, 'run it');
  await expect.poll(() => JSON.stringify(client.of('tool_call_update'))).toContain('it began');
  return { client, sessionId, prompted };
}

describe('a turn that is cancelled', () => {
  it('in the middle of a call ends with the command, the prompt as cancelled, and continues with the next', async () => {
    const { client, sessionId, prompted } = await startCommand();
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(client.of('tool_call_update').at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { outcome: 'cancelled' },
    });
    expect((await processesIn(world.workspace)).filter(line => line.includes('sleep'))).toEqual([]);
    expect(await client.prompt(sessionId, 'continue')).toEqual({ stopReason: 'end_turn' });
    expect(client.said('agent_message_chunk')).toBe('After it.');
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('in the middle of an answer keeps what was said', async () => {
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    world.server.script([text('Half of '), hang], [text('The rest.')]);
    const prompted = client.prompt(sessionId, 'speak');
    await expect.poll(() => client.said('agent_message_chunk')).toBe('Half of ');
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
  });

  it('by taking its request back is the same', async () => {
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    world.server.script([text('Half of '), hang]);
    const abort = new AbortController();
    const prompted = client.agent.request(
      methods.agent.session.prompt,
      { sessionId, prompt: [{ type: 'text', text: 'speak' }] },
      { cancellationSignal: abort.signal },
    );
    await expect.poll(() => client.said('agent_message_chunk')).toBe('Half of ');
    abort.abort();
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
  });
});

describe('what a client may do wrong', () => {
  it('two prompts at once: the second is refused in a sentence, and the first continues', async () => {
    const { client, sessionId, prompted } = await startCommand();
    await expect(client.prompt(sessionId, 'and this')).rejects.toThrow(
      'A prompt is running in this session. Wait for its end, or cancel it first.',
    );
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
  });

  it('lines that are no messages are answered with an error, and nothing is lost', async () => {
    // The client's library says of each answer to no request that it is one.
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    const client = await world.start();
    for (const line of ['{"jsonrpc":"2.0","id":7,', 'null', '[]', '{}', '\u0000\u0001', '']) {
      client.program.stdin.write(`${line}\n`);
    }
    const sessionId = await client.newSession(world.workspace);
    world.server.script([text('Here I am.')]);
    expect(await client.prompt(sessionId, 'are you there?')).toEqual({ stopReason: 'end_turn' });
    const refused = client.wire.filter(message => 'error' in message && message.id === null);
    expect(refused).toHaveLength(5);
    expect(client.said('agent_message_chunk')).toBe('Here I am.');
  });

  it('sessions, folders, modes and models that are not there are said to be so', async () => {
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    const { session } = methods.agent;
    await expect(client.prompt('nowhere', 'x')).rejects.toMatchObject({ code: -32002 });
    await expect(client.newSession('relative')).rejects.toThrow('relative is no absolute path of a folder');
    await expect(client.newSession('/nowhere/at/all')).rejects.toThrow('/nowhere/at/all is no absolute path');
    await expect(client.agent.request(session.setMode, { sessionId, modeId: 'wild' })).rejects.toThrow(
      'There is no mode wild.',
    );
    await expect(
      client.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'gpt-0' }),
    ).rejects.toThrow('The provider offers no model gpt-0.');
    await expect(
      client.agent.request(session.load, { sessionId: 'gone', cwd: world.workspace, mcpServers: [] }),
    ).rejects.toThrow('There is no session gone.');
    await expect(client.agent.request(session.prompt, { sessionId, prompt: [] })).rejects.toThrow(
      'The prompt is empty.',
    );
  });
});

describe('a turn that fails', () => {
  it('tells why, in the words for the user', async () => {
    const client = await world.start();
    const sessionId = await client.newSession(world.workspace);
    world.server.script(invalidKey());
    await expect(client.prompt(sessionId, 'hello')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/key/i),
    });
    world.server.script([text('Better.')]);
    expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  });

  it('at a limit says which', async () => {
    const client = await world.start({ args: ['--approval-mode', 'yolo'] });
    const sessionId = await client.newSession(world.workspace);
    world.server.afterScript(() => [call('glob', { pattern: '*.txt' })]);
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'max_turn_requests' });
    expect(client.said('agent_message_chunk')).toContain('Paused: Folio seems to be looping');
  });
});

describe('a client that goes away', () => {
  it('by closing the pipe in the middle of a call leaves no process behind', async () => {
    const { client } = await startCommand();
    expect(await client.end()).toBe(0);
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
    expect(client.errors).toBe('');
  });

  it('by being killed, so that nobody reads either, leaves none', async () => {
    const { client } = await startCommand('own');
    client.program.stdout.destroy();
    client.program.stdin.destroy();
    await client.exit;
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
  });

  it('while the agent asks leaves what was asked undone', async () => {
    const client = await world.start({ answer: () => new Promise(() => {}) });
    const sessionId = await client.newSession(world.workspace);
    world.server.script([call('write_file', { file_path: 'a.txt', content: 'a' })]);
    client.prompt(sessionId, 'write').catch(() => {});
    await expect.poll(() => client.asked.length).toBe(1);
    expect(await client.end()).toBe(0);
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
  });

  it('is told nothing more by an agent that gets a signal, which ends it in order', async () => {
    const { client } = await startCommand('own');
    client.program.kill('SIGTERM');
    expect(await client.exit).toBe(130);
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
  });
});
