/* Services for signing in to servers of the Model Context Protocol, as reports about other clients describe them. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { type McpWorld, mcpWorld } from '../mcp/support/mcpWorld.ts';
import { WebPeer } from '../mcp/support/webPeer.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import type { WorldCase } from './report.ts';

async function open(): Promise<{ readonly peer: WebPeer; readonly world: McpWorld }> {
  const peer = await WebPeer.start();
  onTestFinished(() => peer.end());
  peer.tokens = new Set();
  const world = await mcpWorld();
  onTestFinished(world.end);
  world.user.visit = async address => {
    await (await fetch(address)).text();
    return true;
  };
  return { peer, world };
}

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const issuerPath = '/.well-known/oauth-authorization-server';

function metadata(peer: WebPeer, changes: object = {}): object {
  return {
    issuer: peer.origin,
    authorization_endpoint: `${peer.origin}/authorize`,
    token_endpoint: `${peer.origin}/token`,
    registration_endpoint: `${peer.origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    ...changes,
  };
}

type Replies = Readonly<Record<string, readonly [number, object]>>;

interface SignInCase extends WorldCase {
  readonly replies: (peer: WebPeer) => Replies;
  /** `undefined`: it succeeds; else what the user reads. */
  readonly says?: RegExp;
  readonly scope?: string;
  readonly hidesMetadata?: true;
}

const resource = (peer: WebPeer, changes: object) =>
  [200, { resource: peer.url, authorization_servers: [peer.origin], ...changes }] as const;

const cases: readonly SignInCase[] = [
  {
    title: 'the resource names its issuer with a slash at the end, the issuer itself without',
    source: 'report',
    replies: peer => ({ [resourcePath]: resource(peer, { authorization_servers: [`${peer.origin}/`] }) }),
  },
  {
    title: 'the issuer has a path, and its pages lie elsewhere below it',
    source: 'report',
    replies: peer => ({
      [resourcePath]: resource(peer, { authorization_servers: [`${peer.origin}/auth/v1`] }),
      [issuerPath]: [404, {}],
      [`${issuerPath}/auth/v1`]: [200, metadata(peer, { issuer: `${peer.origin}/auth/v1` })],
    }),
  },
  {
    title: 'the issuer only has the metadata of OpenID',
    source: 'report',
    replies: peer => ({
      [issuerPath]: [404, {}],
      '/.well-known/openid-configuration': [
        200,
        metadata(peer, {
          jwks_uri: `${peer.origin}/keys`,
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      ],
    }),
  },
  {
    title: 'the metadata of the resource lies at the root',
    source: 'report',
    hidesMetadata: true,
    replies: peer => ({
      [resourcePath]: [404, {}],
      '/.well-known/oauth-protected-resource': resource(peer, { resource: peer.origin }),
    }),
  },
  {
    title: 'there is no metadata of the resource',
    source: 'report',
    hidesMetadata: true,
    replies: () => ({ [resourcePath]: [404, {}], '/.well-known/oauth-protected-resource': [404, {}] }),
  },
  {
    title: 'the resource names the scopes that it needs',
    source: 'report',
    replies: peer => ({ [resourcePath]: resource(peer, { scopes_supported: ['read', 'write'] }) }),
    scope: 'read write',
  },
  {
    title: 'a token comes without a lifetime and without one to renew it',
    source: 'report',
    replies: peer => {
      peer.tokens?.add('bare');
      return { '/token': [200, { access_token: 'bare', token_type: 'bearer' }] };
    },
  },
  {
    title: 'the resource is one of another host',
    source: 'report',
    replies: peer => ({ [resourcePath]: resource(peer, { resource: 'https://other.example/mcp' }) }),
    says: /other\.example/,
  },
  {
    title: 'the issuer registers nobody',
    source: 'report',
    replies: peer => ({ [issuerPath]: [200, metadata(peer, { registration_endpoint: undefined })] }),
    says: /clientId/,
  },
  {
    title: 'the issuer registers only who has a key of its administrator',
    source: 'report',
    replies: () => ({ '/register': [401, { error: 'invalid_token' }] }),
    says: /clientId/,
  },
  {
    title: 'the issuer registers no client with this address to come back to',
    source: 'report',
    replies: () => ({
      '/register': [400, { error: 'invalid_redirect_uri', error_description: 'not https' }],
    }),
    says: /clientId/,
  },
  {
    title: 'the registration is out of order',
    source: 'report',
    replies: () => ({ '/register': [500, {}] }),
    says: /regist/i,
  },
];

describe('a sign-in to a server', () => {
  it.each(cases)('$title', async ({ replies, says, scope, hidesMetadata }) => {
    const { peer, world } = await open();
    const odd = replies(peer);
    peer.reply = path => odd[path];
    peer.namesMetadata = hidesMetadata === undefined;
    world.set({ web: { httpUrl: peer.url } });
    await world.until('web', 'needsSignIn');
    const said = await world.servers.signIn('web');
    if (says) {
      expect(said).toMatch(says);
      return;
    }
    expect(said).toBeUndefined();
    await world.until('web', 'ready');
    const [asked] = peer.asked;
    if (scope !== undefined) expect(asked?.get('scope')).toBe(scope);
    // The address to come back to is the registered one, with its port.
    expect(peer.registrations).toMatchObject([{ redirect_uris: [asked?.get('redirect_uri')] }]);
  });

  it('asks again where the token to renew with has run out, too', async () => {
    const { peer, world } = await open();
    world.set({ web: { httpUrl: peer.url } });
    await world.until('web', 'needsSignIn');
    expect(await world.servers.signIn('web')).toBeUndefined();
    await world.until('web', 'ready');
    peer.tokens?.clear();
    peer.reply = path => (path === '/token' ? [400, { error: 'invalid_grant' }] : undefined);
    const call = await RecordingCall.make();
    onTestFinished(() => call.dispose());
    await call.use(world.tool('mcp_web_act'), {}).catch(() => undefined);
    await world.until('web', 'needsSignIn');
    peer.reply = () => undefined;
    expect(await world.servers.signIn('web')).toBeUndefined();
    await world.until('web', 'ready');
    expect((await call.use(world.tool('mcp_web_act'), {})).text).toContain('done');
  });
});
