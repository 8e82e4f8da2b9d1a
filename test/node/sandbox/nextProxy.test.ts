/*
 * The user's own proxy behind that of the sandbox: granted hosts, which nobody can look up here, are reached through
 * it.
 */

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HostProxy } from '../../../src/extension/node/sandbox/hostProxy.ts';
import { assertProxySupported, findUpstreamProxy } from '../../../src/extension/node/sandbox/nextProxy.ts';
import { readProxyEnvironment, type UserProxy } from '../../../src/extension/platform/sandbox.ts';
import { type ForwardProxy, startForwardProxy } from '../../support/forwardProxy.ts';
import { SandboxWorld } from '../../support/sandboxWorld.ts';

const login = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;

describe.skipIf(process.platform !== 'linux')('a granted host where the user has a proxy', () => {
  let server: Server;
  let port: number;
  let proxy: ForwardProxy;
  let closed: ForwardProxy;
  const worlds: SandboxWorld[] = [];

  beforeAll(async () => {
    server = createServer((asked, answer) => answer.end(`hello ${asked.url}\n`));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    [proxy, closed] = [await startForwardProxy(port), await startForwardProxy(0)];
  });
  afterAll(async () => {
    for (const world of worlds) await world.dispose();
    await proxy?.[Symbol.asyncDispose]();
    await closed?.[Symbol.asyncDispose]();
    server?.closeAllConnections();
    server?.close();
  });

  async function makeWorld(next: UserProxy): Promise<SandboxWorld> {
    const world = await SandboxWorld.make([], next);
    worlds.push(world);
    return world;
  }

  function through({ port: own }: ForwardProxy, except = ''): UserProxy {
    const address = `http://ada:p%40ss@127.0.0.1:${own}`;
    return { http: address, https: address, except };
  }

  test('is reached through it by HTTP, by a tunnel and by SOCKS, with its login; another is not', async () => {
    const world = await makeWorld(through(proxy));
    const lines = [
      'curl -sS http://far.invalid/plain',
      'curl -sS -p -x "$http_proxy" http://far.invalid:8080/tunnel',
      'curl -sS -x "$ALL_PROXY" http://far.invalid/socks',
      'curl -sS http://other.invalid/',
    ];
    const grants = { write: [], hosts: ['far.invalid'] };
    const { output, report } = await world.run(lines.join('; '), { grants });
    expect(output).toBe(
      'hello /plain\nhello /tunnel\nhello /socks\nThe sandbox does not let this command connect to other.invalid.\n',
    );
    expect(report.hosts).toEqual(['other.invalid']);
    expect(proxy.wanted).toEqual([
      { line: 'GET http://far.invalid/plain', login },
      { line: 'CONNECT far.invalid:8080', login },
      { line: 'CONNECT far.invalid:80', login },
    ]);
  });

  test('is reached straight where it is excepted, as this machine always is', async () => {
    const before = proxy.wanted.length;
    const world = await makeWorld(through(proxy, 'far.invalid'));
    const grants = { write: [], hosts: ['localhost', 'far.invalid'] };
    const lines = [`curl -sS http://localhost:${port}/here`, 'curl -sS http://far.invalid/'];
    const { output } = await world.run(lines.join('; '), { grants });
    expect(output).toBe('hello /here\nThe sandbox does not let this command connect to far.invalid.\n');
    expect(proxy.wanted).toHaveLength(before);
  });

  test('is not reached where that proxy does not want it, and the command ends', async () => {
    const world = await makeWorld(through(closed));
    const grants = { write: [], hosts: ['far.invalid'] };
    const lines = [
      'curl -sS http://far.invalid/; echo $?',
      'curl -sS -p -x "$http_proxy" http://far.invalid/; echo $?',
      'curl -sS -x "$ALL_PROXY" http://far.invalid/; echo $?',
    ];
    const { output } = await world.run(lines.join('; '), { grants });
    expect(output).toMatch(/^Not for you\.\n0\n[\s\S]*502[\s\S]*\n56\n[\s\S]*\n97\n$/);
  });

  test('is refused all the same when its name leads to this machine', async () => {
    const before = proxy.wanted.length;
    const lookUp = async () => ['127.0.0.1'];
    const own = new HostProxy(['innocent.invalid'], { next: through(proxy), lookUp });
    const door = await own.listenHere();
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(door, '127.0.0.1', () =>
        socket.end('CONNECT innocent.invalid:80 HTTP/1.1\r\n\r\n'),
      );
      let text = '';
      socket
        .on('data', chunk => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    await own.close();
    expect(reply).toMatch(/^HTTP\/1.1 403 /);
    expect(proxy.wanted).toHaveLength(before);
  });

  test('keeps the command from running where the proxy is of a kind that nobody speaks here', async () => {
    const world = await makeWorld({ https: 'socks5://127.0.0.1:1', except: '' });
    const request = { grants: { write: [], hosts: ['far.invalid'] }, background: false };
    await expect(world.sandbox.contain(request)).rejects.toThrow(/^Your proxy, .* must be an http or https/);
    const { code } = await world.run('true');
    expect(code).toBe(0);
  });
});

describe('the proxy of a user', () => {
  test('is read of the environment, where small letters go first', () => {
    const env = { http_proxy: 'a:1', HTTP_PROXY: 'b:1', HTTPS_PROXY: 'c:1', NO_PROXY: 'd' };
    expect(readProxyEnvironment(env)).toEqual({ http: 'a:1', https: 'c:1', except: 'd' });
    expect(readProxyEnvironment({})).toEqual({ http: undefined, https: undefined, except: '' });
  });

  test.each([
    ['corp.example', ['corp.example', 'a.corp.example'], ['notcorp.example', 'example']],
    ['.corp.example, *.two.example', ['a.corp.example', 'b.two.example'], ['far.example']],
    ['*', ['far.example'], []],
    ['far.example:8443', [], ['far.example']],
    ['10.0.0.7 FAR.example:443', ['10.0.0.7', 'far.example'], ['10.0.0.8']],
    ['', ['localhost', '127.0.0.1', '::1'], ['far.example']],
  ])('is left out for what "%s" excepts', (except, straight, led) => {
    const proxy = { http: 'proxy.example:3128', https: 'https://proxy.example', except };
    const leads = (host: string) => findUpstreamProxy({ host, port: 443 }, 'https', proxy)?.address.host;
    expect(straight.map(leads)).toEqual(straight.map(() => undefined));
    expect(led.map(leads)).toEqual(led.map(() => 'proxy.example'));
  });

  test('may be written without a scheme, and gets the login that is set apart from it', () => {
    const proxy = { http: 'proxy.example:3128', except: '', login: 'Bearer x' };
    const next = findUpstreamProxy({ host: 'far.example', port: 80 }, 'http', proxy);
    expect([next?.address.href, next?.headers]).toEqual([
      'http://proxy.example:3128/',
      { 'proxy-authorization': 'Bearer x' },
    ]);
    expect(() => assertProxySupported({ http: 'nonsense://', except: '' })).toThrow('Your proxy');
  });
});
