/* Signing in at a real authorization server, and each way in which that is refused. */

import { expect, onTestFinished, test } from 'vitest';
import { signInName } from '../../src/extension/mcp/signIn/storedSignIn.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { AuthorizationServer, browse } from './support/authorizationServer.ts';
import { type McpWorld, mcpWorld } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

interface Scene {
  readonly peer: WebPeer;
  readonly service: AuthorizationServer;
  readonly world: McpWorld;
}

async function makeService(): Promise<AuthorizationServer> {
  const service = await AuthorizationServer.start();
  onTestFinished(() => service.end());
  return service;
}

/** A server that wants a sign-in at a service, in a window whose user follows every page. */
async function makeScene(): Promise<Scene> {
  const [peer, service, world] = [await WebPeer.start(), await makeService(), await mcpWorld()];
  onTestFinished(() => peer.end());
  onTestFinished(world.end);
  service.protect(peer);
  world.user.visit = async address => {
    await browse(address);
    return true;
  };
  world.set({ web: { httpUrl: peer.url } });
  await world.until('web', 'needsSignIn');
  return { peer, service, world };
}

async function signIn({ world }: Pick<Scene, 'world'>): Promise<void> {
  expect(await world.servers.signIn('web')).toBeUndefined();
  await world.until('web', 'ready');
}

async function use({ world }: Pick<Scene, 'world'>): Promise<string> {
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  return (await call.use(world.tool('mcp_web_act'), {})).text;
}

interface Kept {
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
  readonly client: { readonly client_id: string };
}

async function kept({ world, peer }: Scene): Promise<Kept> {
  return JSON.parse((await world.secrets.find(signInName('web', peer.url))) ?? '{}');
}

/** Nothing that is a secret stands in what was logged or said. */
function expectNoSecrets({ service, world }: Scene, ...said: readonly (string | undefined)[]): void {
  const text = [...world.logged, ...said].join('\n');
  for (const secret of service.secrets) if (secret !== '') expect(text).not.toContain(secret);
}

const needed =
  'The server web does nothing until the user signs in, and they are told so; continue without it.';

test('a sign-in registers a native client, proves itself, and names the server that the token is for', async () => {
  const scene = await makeScene();
  await signIn(scene);
  const { service, world } = scene;
  expect(service.registrations).toMatchObject([
    { client_name: 'Folio', application_type: 'native', token_endpoint_auth_method: 'none' },
  ]);
  const [asked] = world.user.opened.map(each => Object.fromEntries(new URL(each).searchParams));
  expect(asked).toMatchObject({
    code_challenge_method: 'S256',
    resource: scene.peer.url,
    scope: 'read offline_access',
  });
  expect(await use(scene)).toContain('done');
  expectNoSecrets(scene);
});

test.each<[string, (scene: Scene) => void, RegExp]>([
  [
    'that the user denies',
    ({ service }) => {
      service.consent = 'denied';
    },
    /^You are not signed in to web: The server refused the sign-in: The user said no\.$/,
  ],
  [
    'that another service answers',
    ({ world }) =>
      changeWay(
        world,
        url => url.searchParams.has('code') && url.searchParams.set('iss', 'https://evil.example'),
      ),
    /^You are not signed in to web: The answer came from another server, so it was rejected/,
  ],
  [
    'whose answer names nobody',
    ({ world }) => changeWay(world, url => url.searchParams.has('code') && url.searchParams.delete('iss')),
    /^You are not signed in to web: The answer came from another server, so it was rejected/,
  ],
  [
    'whose proof is of another sign-in',
    ({ world }) =>
      changeWay(
        world,
        url =>
          url.searchParams.has('code_challenge') && url.searchParams.set('code_challenge', 'a'.repeat(43)),
      ),
    /^You are not signed in to web: /,
  ],
  [
    'whose code is not the one that was given',
    ({ world }) =>
      changeWay(world, url => url.searchParams.has('code') && url.searchParams.set('code', 'stolen')),
    /^You are not signed in to web: /,
  ],
])(
  'a sign-in %s gives one sentence and no token, and the next one succeeds',
  async (_what, hinder, sentence) => {
    const scene = await makeScene();
    const { visit } = scene.world.user;
    hinder(scene);
    const said = await scene.world.servers.signIn('web');
    expect(said).toMatch(sentence);
    expect(scene.world.row('web').status.kind).toBe('needsSignIn');
    expect((await kept(scene)).tokens).toBeUndefined();
    expectNoSecrets(scene, said);
    scene.service.consent = 'given';
    scene.world.user.visit = visit;
    await signIn(scene);
    expect(await use(scene)).toContain('done');
  },
);

function changeWay(world: McpWorld, change: (url: URL) => unknown): void {
  world.user.visit = async address => {
    await browse(address, change);
    return true;
  };
}

test('a token that the server takes no longer is renewed once, and the service gives another token for that', async () => {
  const scene = await makeScene();
  await signIn(scene);
  const before = await kept(scene);
  scene.peer.tokens?.clear();
  for (const answer of await Promise.all([use(scene), use(scene)])) expect(answer).toContain('done');
  const after = await kept(scene);
  expect(after.tokens.refresh_token).not.toBe(before.tokens.refresh_token);
  expect(scene.service.seen.filter(each => each === 'POST /token')).toHaveLength(2);
  expect(scene.world.user.opened).toHaveLength(1);
  expectNoSecrets(scene);
});

test.each<[string, (scene: Scene) => Promise<unknown>, number]>([
  [
    'was revoked',
    async scene => {
      const { service } = scene;
      const token = await service.provider.RefreshToken.find((await kept(scene)).tokens.refresh_token);
      await token?.destroy();
    },
    1,
  ],
  [
    'was used before',
    async scene => {
      const { world, peer } = scene;
      const old = await kept(scene);
      peer.tokens?.clear();
      await use(scene);
      await world.secrets.keep(signInName('web', peer.url), JSON.stringify(old));
    },
    1,
  ],
  [
    'is of a client that the service has forgotten',
    async scene => {
      const { service } = scene;
      await service.forget((await kept(scene)).client.client_id);
    },
    2,
  ],
])(
  'a refresh token that %s asks for a click, which is all that it takes',
  async (_what, hinder, registered) => {
    const scene = await makeScene();
    await signIn(scene);
    await hinder(scene);
    scene.peer.tokens?.clear();
    await expect(use(scene)).rejects.toThrow(needed);
    await scene.world.until('web', 'needsSignIn');
    await signIn(scene);
    expect(scene.service.registrations).toHaveLength(registered);
    expect(await use(scene)).toContain('done');
    expectNoSecrets(scene);
  },
);

test('a client that the service has forgotten is registered again after a sign-in that nobody could finish', async () => {
  const scene = await makeScene();
  await signIn(scene);
  const { tokens: _, ...rest } = await kept(scene);
  await scene.world.secrets.keep(signInName('web', scene.peer.url), JSON.stringify(rest));
  await scene.service.forget(rest.client.client_id);
  await expect(use(scene)).rejects.toThrow(needed);
  await scene.world.until('web', 'needsSignIn');
  const stopper = new AbortController();
  let page = '';
  const { visit } = scene.world.user;
  scene.world.user.visit = async address => {
    page = await browse(address);
    // The service shows an error to the user and sends nobody back, so they give up.
    stopper.abort();
    return true;
  };
  expect(await scene.world.servers.signIn('web', stopper.signal)).toBeUndefined();
  expect(page).toContain('invalid_client');
  scene.world.user.visit = visit;
  await signIn(scene);
  expect(scene.service.registrations).toHaveLength(2);
  expect(await use(scene)).toContain('done');
});

test('a sign-in that the user gives up leaves the tokens that they had', async () => {
  const scene = await makeScene();
  await signIn(scene);
  const stopper = new AbortController();
  scene.world.user.visit = async () => {
    stopper.abort();
    return true;
  };
  await scene.world.servers.signIn('web', stopper.signal);
  scene.peer.tokens?.clear();
  expect(await use(scene)).toContain('done');
});

test('a call that needs more rights gets them at the service after a click', async () => {
  const scene = await makeScene();
  await signIn(scene);
  // The server wants the rights of before for its other requests.
  scene.peer.wantedScope = 'write';
  await expect(use(scene)).rejects.toThrow(needed);
  await scene.world.until('web', 'needsSignIn');
  await signIn(scene);
  expect(await use(scene)).toContain('done');
  const asked = scene.world.user.opened.map(each => new URL(each).searchParams.get('scope'));
  expect(asked.map(names => names?.split(' ').sort())).toEqual([
    ['offline_access', 'read'],
    ['offline_access', 'read', 'write'],
  ]);
  // The service holds a client to the rights that it was registered with.
  expect(scene.service.registrations).toMatchObject([{ scope: asked[0] }, { scope: asked[1] }]);
});

test('a service that takes the place of another gets neither its tokens nor its client', async () => {
  const scene = await makeScene();
  await signIn(scene);
  const before = await kept(scene);
  const other = await makeService();
  scene.peer.tokens?.clear();
  other.protect(scene.peer);
  await expect(use(scene)).rejects.toThrow(needed);
  await scene.world.until('web', 'needsSignIn');
  expect(other.seen.filter(each => each.startsWith('POST'))).toEqual([]);
  await signIn(scene);
  expect(other.registrations).toHaveLength(1);
  const asked = new URL(scene.world.user.opened.at(-1) ?? '');
  expect(asked.origin).toBe(other.issuer);
  expect(asked.searchParams.get('client_id')).not.toBe(before.client.client_id);
  expect(await use(scene)).toContain('done');
});
