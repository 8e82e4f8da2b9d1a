import { afterEach, expect, test } from 'vitest';
import { signInName } from '../../src/extension/mcp/signIn/storedSignIn.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { type McpWorld, mcpWorld, serverEntry } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function makePeer(): Promise<WebPeer> {
  const peer = await WebPeer.start();
  ends.push(() => peer.end());
  peer.tokens = new Set();
  return peer;
}

async function makeWorld(): Promise<McpWorld> {
  const world = await mcpWorld();
  ends.push(world.end);
  world.person.visit = async address => {
    await (await fetch(address)).text();
    return true;
  };
  return world;
}

async function signIn(world: McpWorld, peer: WebPeer): Promise<void> {
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  await world.servers.signIn('web');
  await world.until('web', 'ready');
}

async function use(world: McpWorld, name: string): Promise<string> {
  const call = await RecordingCall.make();
  ends.push(() => call.dispose());
  return (await call.use(world.tool(name), {})).text;
}

test('a server that wants a sign-in says so, and nothing is opened or registered before a click', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  expect(world.person.opened).toEqual([]);
  expect(peer.registrations).toEqual([]);
});

test('a sign-in registers Folio, proves itself, keeps the tokens as secrets, and starts the server', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
  expect(world.person.opened).toHaveLength(1);
  expect(peer.registrations).toMatchObject([{ client_name: 'Folio', token_endpoint_auth_method: 'none' }]);
  expect(await use(world, 'mcp_web_act')).toContain('done');
  expect(await world.secrets.find(signInName('web', peer.url))).toContain('token-1');
  expect(world.logged.join('\n')).not.toContain('token-1');
});

test('a token that has run out is renewed without the person, once for calls that come together', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  await signIn(world, peer);
  peer.tokens?.clear();
  const answers = await Promise.all([1, 2, 3].map(() => use(world, 'mcp_web_act')));
  for (const answer of answers) expect(answer).toContain('done');
  expect(peer.seen.filter(each => each === 'POST /token')).toHaveLength(2);
  expect(world.person.opened).toHaveLength(1);
});

test('when renewing does not help, the call says so and the server waits for the person', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  await signIn(world, peer);
  peer.tokens?.clear();
  const name = signInName('web', peer.url);
  const kept = JSON.parse((await world.secrets.find(name)) ?? '{}');
  kept.tokens.refresh_token = 'revoked';
  await world.secrets.keep(name, JSON.stringify(kept));
  await expect(use(world, 'mcp_web_act')).rejects.toThrow(/sign in/);
  await world.until('web', 'needsSignIn');
  expect(world.person.opened).toHaveLength(1);
});

test('signing out forgets everything', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  await signIn(world, peer);
  await world.servers.signOut('web');
  await world.until('web', 'needsSignIn');
  expect(await world.secrets.find(signInName('web', peer.url))).toBeUndefined();
});

test('an entry of the same name that leads elsewhere does not get the tokens', async () => {
  const [peer, other, world] = [await makePeer(), await makePeer(), await makeWorld()];
  await signIn(world, peer);
  world.servers.set([serverEntry('web', { httpUrl: other.url }, { kind: 'workspace' })]);
  await world.until('web', 'needsSignIn');
  expect(other.authorizations.filter(each => each !== undefined)).toEqual([]);
});

test.each([
  [
    'an error is told in its words',
    (url: URL) => url.searchParams.set('error', 'access_denied'),
    /access_denied/,
  ],
  [
    'an answer of another server is not used',
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    /another server/,
  ],
])('%s', async (_name, change, sentence) => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  peer.changeAnswer = change;
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  expect(await world.servers.signIn('web')).toMatch(sentence);
  expect(peer.seen).not.toContain('POST /token');
});

test('an answer with another state does not end the sign-in; the right one after it does', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  world.person.visit = async address => {
    const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    back.search = '?code=stolen&state=guessed';
    expect((await fetch(back)).status).toBe(400);
    await (await fetch(address)).text();
    return true;
  };
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
});

test('who is configured as a client is not registered, and a header of the person is used as it is', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  peer.tokens?.add('own');
  world.set({
    known: { httpUrl: peer.url, oauth: { clientId: 'mine', scopes: ['a', 'b'] } },
    header: { httpUrl: peer.url, headers: { Authorization: 'Bearer own' } },
  });
  await world.until('header', 'ready');
  await world.until('known', 'needsSignIn');
  expect(await world.servers.signIn('known')).toBeUndefined();
  await world.until('known', 'ready');
  expect(peer.registrations).toEqual([]);
  const [opened] = world.person.opened.map(each => new URL(each).searchParams);
  expect([opened?.get('client_id'), opened?.get('scope')]).toEqual(['mine', 'a b']);
});

test('a sign-in that the person breaks off leaves nothing listening', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  const stopper = new AbortController();
  let back = '';
  world.person.visit = async address => {
    back = new URL(address).searchParams.get('redirect_uri') ?? '';
    stopper.abort();
    return true;
  };
  expect(await world.servers.signIn('web', stopper.signal)).toBeUndefined();
  await expect(fetch(back)).rejects.toThrow();
  expect(world.row('web').status.kind).toBe('needsSignIn');
});
