import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelRequest } from '../../src/extension/core/model.ts';
import { signInName } from '../../src/extension/mcp/signIn/storedSignIn.ts';
import { ask, CastModel, say } from '../support/castModel.ts';
import { makeWorld as makeConversation } from '../support/conversation.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { type McpWorld, mcpWorld, serverEntry } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

async function makePeer(): Promise<WebPeer> {
  const peer = await WebPeer.start();
  onTestFinished(() => peer.end());
  peer.tokens = new Set();
  return peer;
}

async function makeWorld(): Promise<McpWorld> {
  const world = await mcpWorld();
  onTestFinished(world.end);
  world.user.visit = async address => {
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
  onTestFinished(() => call.dispose());
  return (await call.use(world.tool(name), {})).text;
}

test('a server that wants a sign-in says so, and nothing is opened or registered before a click', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  expect(world.user.opened).toEqual([]);
  expect(peer.registrations).toEqual([]);
});

test('a sign-in registers Folio, proves itself, keeps the tokens as secrets, and starts the server', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
  expect(world.user.opened).toHaveLength(1);
  expect(peer.registrations).toMatchObject([{ client_name: 'Folio', token_endpoint_auth_method: 'none' }]);
  expect(await use(world, 'mcp_web_act')).toContain('done');
  expect(await world.secrets.find(signInName('web', peer.url))).toContain('token-1');
  expect(world.logged.join('\n')).not.toContain('token-1');
});

test('a token that has run out is renewed without the user, once for calls that come together', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  await signIn(world, peer);
  peer.tokens?.clear();
  const answers = await Promise.all([1, 2, 3].map(() => use(world, 'mcp_web_act')));
  for (const answer of answers) expect(answer).toContain('done');
  expect(peer.seen.filter(each => each === 'POST /token')).toHaveLength(2);
  expect(world.user.opened).toHaveLength(1);
});

/** The token is no good any more, and neither is what would renew it. */
async function revoke(world: McpWorld, peer: WebPeer): Promise<void> {
  peer.tokens?.clear();
  const name = signInName('web', peer.url);
  const kept = JSON.parse((await world.secrets.find(name)) ?? '{}');
  kept.tokens.refresh_token = 'revoked';
  await world.secrets.keep(name, JSON.stringify(kept));
}

async function wantMore(_world: McpWorld, peer: WebPeer): Promise<void> {
  peer.wantedScope = 'files';
}

const sentence =
  'The server web does nothing until the user signs in, and they are told so; continue without it.';

describe.each([
  ['a token that cannot be renewed', revoke],
  ['more rights for a call', wantMore],
])('%s', (_what, demand) => {
  test('is told in one sentence and on the page, the tools stay declared, and work after the click', async () => {
    const [peer, world] = [await makePeer(), await makeWorld()];
    await signIn(world, peer);
    const declared = world.tools();
    await demand(world, peer);
    await expect(use(world, 'mcp_web_act')).rejects.toThrow(sentence);
    await world.until('web', 'needsSignIn');
    expect(world.user.opened).toHaveLength(1);
    expect(world.tools()).toBe(declared);
    expect(world.tool('mcp_web_act').isOffered?.() ?? true).toBe(true);
    const calls = peer.seen.length;
    await expect(use(world, 'mcp_web_act')).rejects.toThrow(sentence);
    expect(peer.seen.length).toBe(calls);
    expect(await world.servers.signIn('web')).toBeUndefined();
    await world.until('web', 'ready');
    expect(world.user.opened).toHaveLength(2);
    expect(await use(world, 'mcp_web_act')).toContain('done');
    const call = await RecordingCall.make();
    onTestFinished(() => call.dispose());
    const [before] = declared;
    if (!before) throw new Error('No tool was declared.');
    expect((await call.use(before, {})).text).toContain('done');
  });

  test('ends all calls that run at once with that sentence', async () => {
    const [peer, world] = [await makePeer(), await makeWorld()];
    await signIn(world, peer);
    await demand(world, peer);
    const ended = await Promise.allSettled([1, 2, 3].map(() => use(world, 'mcp_web_act')));
    for (const each of ended) {
      expect(each).toMatchObject({ status: 'rejected', reason: { message: sentence } });
    }
  });

  test('asks nobody to allow a call that cannot run, and the same session calls the tool after the click', async () => {
    const [peer, world] = [await makePeer(), await makeWorld()];
    await signIn(world, peer);
    await demand(world, peer);
    const act = ask(['mcp_web_act', {}]);
    const cast = new CastModel({ one: [act, act, say('It waits.'), act, say('Done.')] });
    const { session } = makeConversation({
      answers: [],
      provider: cast,
      tools: world.tools(),
    });
    let asked = 0;
    session.onEvent(event => {
      if (event.type !== 'call.asked') return;
      asked++;
      setImmediate(() => session.decide(event.callId, { kind: 'once' }));
    });
    expect(await session.send('one')).toEqual({ kind: 'rested' });
    expect(asked).toBe(1);
    expect(cast.requestsOf('one').flatMap(resultsOf).at(-1)).toBe(sentence);
    expect(await world.servers.signIn('web')).toBeUndefined();
    await world.until('web', 'ready');
    expect(await session.send('two')).toEqual({ kind: 'rested' });
    expect(cast.requestsOf('one').flatMap(resultsOf).at(-1)).toContain('done');
  });
});

function resultsOf({ messages }: ModelRequest): readonly string[] {
  return (messages.at(-1)?.parts ?? []).flatMap(part => (part.kind === 'result' ? part.text : []));
}

test('the tools of a server that fails to come back after the click are gone', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  await signIn(world, peer);
  await revoke(world, peer);
  await expect(use(world, 'mcp_web_act')).rejects.toThrow(sentence);
  await world.until('web', 'needsSignIn');
  await peer.end();
  world.servers.restart('web');
  await world.until('web', 'retrying');
  expect(world.tools().map(({ name }) => name)).not.toContain('mcp_web_act');
});

test('a sign-in that ends after the server was taken out of the configuration starts nothing', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  const { visit } = world.user;
  world.user.visit = async address => {
    world.set({});
    return await visit(address);
  };
  await world.servers.signIn('web');
  expect(peer.seen).toContain('POST /token');
  // By then whoever would start has asked the server.
  for (let at = 0; at < 10; at++) await (await fetch(peer.url)).text();
  expect(peer.authorizations.filter(each => each !== undefined)).toEqual([]);
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

test('a service that says again what it was given is not repeated', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  peer.refuseToken = asked => `Not with ${asked.get('code')} and ${asked.get('code_verifier')}.`;
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  const said = await world.servers.signIn('web');
  expect(said).toMatch(/: The server refused the sign-in: Not with \[masked\] and \[masked\]\.$/);
});

/** The pages of the service, with something else in its metadata. */
function serviceWith(peer: WebPeer, more: object): void {
  const service = {
    issuer: peer.origin,
    authorization_endpoint: `${peer.origin}/authorize`,
    token_endpoint: `${peer.origin}/token`,
    registration_endpoint: `${peer.origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...more,
  };
  peer.reply = path => (path === '/.well-known/oauth-authorization-server' ? [200, service] : undefined);
}

test.each([
  ['without the name of its sender', () => {}],
  ['with another name', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  [
    'with another name and an error',
    (url: URL) => {
      url.search = `?state=${url.searchParams.get('state')}&iss=https://evil.example&error=words_of_evil`;
    },
  ],
])('an answer %s is not used where the service promises to name itself', async (_name, change) => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  serviceWith(peer, { authorization_response_iss_parameter_supported: true });
  peer.changeAnswer = change;
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  const said = await world.servers.signIn('web');
  expect(said).toMatch(/another server/);
  expect(said).not.toContain('evil');
  expect(peer.seen).not.toContain('POST /token');
});

test('an answer that names the service that was asked is used', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  serviceWith(peer, { authorization_response_iss_parameter_supported: true });
  peer.changeAnswer = url => url.searchParams.set('iss', peer.origin);
  await signIn(world, peer);
  expect(peer.registrations).toMatchObject([{ application_type: 'native' }]);
});

test.each([true, false])(
  'a document of the client goes before a registration, where it is read: %s',
  async supported => {
    const [peer, world] = [await makePeer(), await makeWorld()];
    serviceWith(peer, { client_id_metadata_document_supported: supported });
    const document = 'https://me.example/folio.json';
    world.set({ web: { httpUrl: peer.url, oauth: { clientMetadataUrl: document } } });
    await world.until('web', 'needsSignIn');
    expect(await world.servers.signIn('web')).toBeUndefined();
    await world.until('web', 'ready');
    expect(peer.asked[0]?.get('client_id')).toBe(supported ? document : 'client-1');
    expect(peer.registrations).toHaveLength(supported ? 0 : 1);
  },
);

test('a server that trusts another service later gives it no token, and the user signs in there', async () => {
  const [peer, other, world] = [await makePeer(), await makePeer(), await makeWorld()];
  await signIn(world, peer);
  peer.tokens?.clear();
  peer.reply = path =>
    path === '/.well-known/oauth-protected-resource/mcp'
      ? [200, { resource: peer.url, authorization_servers: [other.origin] }]
      : undefined;
  await expect(use(world, 'mcp_web_act')).rejects.toThrow(/signs in/);
  await world.until('web', 'needsSignIn');
  expect(other.seen.filter(each => each.startsWith('POST'))).toEqual([]);
  expect(peer.seen.filter(each => each === 'POST /token')).toHaveLength(1);
  other.tokens = peer.tokens;
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
  expect(other.registrations).toHaveLength(1);
});

test('a client that the user registered goes to no other service', async () => {
  const [peer, other, world] = [await makePeer(), await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url, oauth: { clientId: 'mine' } } });
  await world.until('web', 'needsSignIn');
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
  peer.reply = path =>
    path === '/.well-known/oauth-protected-resource/mcp'
      ? [200, { resource: peer.url, authorization_servers: [other.origin] }]
      : undefined;
  expect(await world.servers.signIn('web')).toMatch(/"clientId" belongs to/);
  expect(other.asked).toEqual([]);
  expect(other.registrations).toEqual([]);
});

test('an answer with another state does not end the sign-in; the right one after it does', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  world.user.visit = async address => {
    const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    back.search = '?code=stolen&state=guessed';
    expect((await fetch(back)).status).toBe(400);
    await (await fetch(address)).text();
    return true;
  };
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
});

test('who is configured as a client is not registered, and a header of the user is used as it is', async () => {
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
  const [opened] = world.user.opened.map(each => new URL(each).searchParams);
  expect([opened?.get('client_id'), opened?.get('scope')]).toEqual(['mine', 'a b']);
});

test('a sign-in that the user breaks off leaves nothing listening', async () => {
  const [peer, world] = [await makePeer(), await makeWorld()];
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  const stopper = new AbortController();
  let back = '';
  world.user.visit = async address => {
    back = new URL(address).searchParams.get('redirect_uri') ?? '';
    stopper.abort();
    return true;
  };
  expect(await world.servers.signIn('web', stopper.signal)).toBeUndefined();
  await expect(fetch(back)).rejects.toThrow();
  expect(world.row('web').status.kind).toBe('needsSignIn');
});
