/* What a client learns of the ways to a model's key, and what happens without one. */

import { type ClientCapabilities, methods, RequestError } from '@agentclientprotocol/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemKeyring } from '../../src/extension/node/keyring/systemKeyring.ts';
import { eachTest } from '../support/eachTest.ts';
import { startGeminiServer } from '../support/geminiServer.ts';
import { AcpWorld } from './support/acpWorld.ts';

const world = eachTest(() => AcpWorld.make());

const noKey = { GEMINI_API_KEY: '' };
const noKeySaid = 'No Gemini API key is set. Set the variable GEMINI_API_KEY, or store a key with --sign-in.';
const { code: authRequired } = RequestError.authRequired();

describe('a client of the Agent Client Protocol', () => {
  it('is offered a way to sign in that any client can show', async () => {
    const client = await world.start();
    const [method] = client.initialized.authMethods ?? [];
    expect(method).toMatchObject({
      id: 'environment',
      description: expect.stringContaining('GEMINI_API_KEY'),
    });
    // Without a type it is one of the agent's own.
    expect(method).not.toHaveProperty('type');
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('is offered a terminal where it has one and the system a keyring', async () => {
    const hasKeyring = SystemKeyring.open(process.platform) !== undefined;
    const offered = async (capabilities: ClientCapabilities) => {
      const client = await world.start({ capabilities });
      await client.end();
      expect(client.faults).toEqual([]);
      return client.initialized.authMethods?.filter(({ id }) => id === 'sign-in');
    };
    const newest = { id: 'sign-in', type: 'terminal', args: ['--sign-in'] };
    expect(await offered({ auth: { terminal: true } })).toMatchObject(hasKeyring ? [newest] : []);
    const command = {
      command: process.execPath,
      args: [expect.stringMatching(/headless\.c?js$/), '--sign-in'],
    };
    const older = { id: 'sign-in', _meta: { 'terminal-auth': command } };
    expect(await offered({ _meta: { 'terminal-auth': true } })).toMatchObject(hasKeyring ? [older] : []);
    expect(await offered({ terminal: true })).toEqual([]);
  });

  it('may log out, which leaves the keys of its environment', async () => {
    const client = await world.start();
    expect(client.initialized.agentCapabilities?.auth).toEqual({ logout: {} });
    await client.agent.request(methods.agent.logout, {});
    expect(await client.newSession(world.workspace)).toMatch(/./);
    await client.end();
  });

  it('gets no session without a key, learns why, and still finds earlier ones', async () => {
    const client = await world.start({ env: noKey });
    await expect(client.newSession(world.workspace)).rejects.toMatchObject({
      code: authRequired,
      message: noKeySaid,
    });
    await expect(
      client.agent.request(methods.agent.authenticate, { methodId: 'environment' }),
    ).rejects.toMatchObject({ code: authRequired, message: noKeySaid });
    const { sessions } = await client.agent.request(methods.agent.session.list, {});
    expect(sessions).toEqual([]);
    expect(world.server.requests).toEqual([]);
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('signs in with a key that works, and not with one that is rejected', async () => {
    const client = await world.start();
    const signIn = (methodId: string) => client.agent.request(methods.agent.authenticate, { methodId });
    await expect(signIn('environment')).resolves.toEqual({});
    await expect(signIn('elsewhere')).rejects.toMatchObject({ code: -32_602 });
    expect(await client.newSession(world.workspace)).toMatch(/./);
    await client.end();
    expect(client.faults).toEqual([]);

    const strict = await startGeminiServer({ apiKey: 'right' });
    onTestFinished(() => strict.dispose());
    const rejected = await world.start({ args: ['--base-url', strict.baseUrl] });
    await expect(
      rejected.agent.request(methods.agent.authenticate, { methodId: 'environment' }),
    ).rejects.toMatchObject({ code: authRequired, message: expect.stringContaining('rejected the API key') });
    await rejected.end();
  });

  it('needs no key for a server of its own, and none for recorded answers', async () => {
    const ownServer = ['--provider', 'openai'];
    const client = await world.start({ args: ownServer, env: { ...noKey, OPENAI_API_KEY: '' } });
    expect(await client.newSession(world.workspace)).toMatch(/./);
    await client.end();
  });
});
