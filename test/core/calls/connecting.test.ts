/*
 * A command in the sandbox that wants hosts that nobody granted, over real sandboxes; a proxy stands for all of the
 * network.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { type DiskWorld, type DiskWorldOptions, makeDiskWorld } from '../../support/diskWorld.ts';
import { type ForwardProxy, startForwardProxy } from '../../support/forwardProxy.ts';
import { PushedClock } from '../../support/pushedClock.ts';
import { mustHaveSandbox } from '../../support/sandboxWorld.ts';

type Asked = SessionEvent<'call.asked'>;

describe.skipIf(process.platform !== 'linux')('a command in the sandbox that waits for a host', () => {
  let world: DiskWorld | undefined;
  let proxy: ForwardProxy;
  const served: string[] = [];
  const server = createServer((request, answer) => {
    served.push(request.url ?? '');
    answer.end('hello from far\n');
  });

  beforeAll(async () => {
    await mustHaveSandbox();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return () => void server.close();
  });
  beforeEach(async () => {
    served.length = 0;
    proxy = await startForwardProxy((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    await world?.dispose();
    await proxy[Symbol.asyncDispose]();
  });

  async function open(options: DiskWorldOptions = {}): Promise<DiskWorld> {
    const through = { http: `http://127.0.0.1:${proxy.port}`, except: '' };
    const usual = { mode: 'default', interactive: true, sandbox: 'on', proxy: through } as const;
    world = await makeDiskWorld(undefined, { ...usual, ...options });
    return world;
  }

  function asks({ events }: DiskWorld): readonly Asked[] {
    return events.flatMap(event => (event.type === 'call.asked' ? [event] : []));
  }

  /** Begins a turn with one command; its end, and the ask once it is there. */
  async function begin(command: string, { session, model }: DiskWorld = world!) {
    model.script(['run_shell_command', { command }]);
    const before = asks(world!).length;
    const end = session.send('Continue.');
    const nth = (count: number) =>
      expect
        .poll(() => asks(world!).length, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(before + count)
        .then(() => asks(world!)[before + count - 1]!);
    return { end, nth };
  }

  /** The newest result that the model read. */
  function resultOf({ model }: DiskWorld): string {
    const parts = model.requests.at(-1)?.messages.flatMap(message => message.parts) ?? [];
    return parts.flatMap(part => (part.kind === 'result' ? [part.text] : [])).at(-1) ?? '';
  }

  const far = (path: string, more = '') => `curl -sS --max-time 100 ${more} http://far.example/${path}`;

  test('continues in the same run when the user lets it, several connections to one host being one ask', async () => {
    const { session, events } = await open();
    const { end, nth } = await begin(`echo first; ${far('a')} & ${far('b')}; wait; ${far('c')}`);
    const { callId, ask } = await nth(1);
    expect(ask.subject).toMatchObject({ kind: 'connect', hosts: ['far.example'] });
    expect(ask.always.map(({ label, scope }) => [label, scope])).toEqual([
      ['Always connect to far.example', 'session'],
    ]);
    expect(session.state.activity).toMatchObject({ status: 'waiting', callId });
    expect(served).toEqual([]);
    session.decide(callId, { kind: 'once', askId: ask.id });
    expect(await end).toEqual({ kind: 'rested' });
    expect(resultOf(world!)).toMatch(
      /It ran in the sandbox\.\nExit code: 0\n[\s\S]*first\n(hello from far\n){3}/,
    );
    expect([...served].sort()).toEqual(['/a', '/b', '/c']);
    expect(asks(world!)).toHaveLength(1);
    // The card kept what was printed before.
    const types = events.map(({ type }) => type).filter(type => /^call\.(asked|decided|started)/.test(type));
    expect(types).toEqual(['call.started', 'call.asked', 'call.decided', 'call.started']);
  });

  test('asks again in the next command after "once", and no more after "session"', async () => {
    const { session } = await open();
    for (const kind of ['once', 'always'] as const) {
      const { end, nth } = await begin(far(kind));
      const { callId, ask } = await nth(1);
      session.decide(
        callId,
        kind === 'once' ? { kind, askId: ask.id } : { kind, choice: 'session', askId: ask.id },
      );
      await end;
    }
    await (await begin(far('third'))).end;
    expect(served).toEqual(['/once', '/always', '/third']);
    expect(asks(world!)).toHaveLength(2);
  });

  test('is refused by the proxy when the user denies it, is not asked about that again, and the model is told who refused', async () => {
    const { session } = await open();
    const { end, nth } = await begin(`${far('a')}; ${far('b')}; echo end`);
    const { callId, ask } = await nth(1);
    session.decide(callId, { kind: 'deny', reason: 'Use the cache.', askId: ask.id });
    await end;
    const refusal = 'The user did not let this command connect to far.example. They said: Use the cache.\n';
    expect(resultOf(world!)).toContain(`${refusal}${refusal}end\n`);
    expect(resultOf(world!)).toContain('The user was asked and did not let it connect to far.example');
    expect(resultOf(world!)).not.toContain('needs_hosts');
    expect([asks(world!).length, served]).toEqual([1, []]);
  });

  test('is refused when nobody answers in time, and is not stopped for its silence meanwhile', async () => {
    const clock = new PushedClock();
    const { session, events } = await open({ clock });
    const { end, nth } = await begin(`${far('a')}; echo end`);
    await nth(1);
    clock.pass(119_000);
    expect(session.state.activity).toMatchObject({ status: 'waiting' });
    clock.pass(2_000);
    await end;
    expect(resultOf(world!)).toContain('Nobody answered within 2 minutes');
    expect(resultOf(world!)).toContain('needs_hosts: ["far.example"]');
    expect(events.some(({ type }) => type === 'call.decided')).toBe(false);
  });

  test('ends with Stop, and nothing waits any more', async () => {
    const { session } = await open();
    const { end, nth } = await begin(far('a'));
    const { callId, ask } = await nth(1);
    void session.stop();
    expect(await end).toEqual({ kind: 'stopped' });
    expect(session.state.activity).toEqual({ status: 'resting' });
    expect(session.decide(callId, { kind: 'once', askId: ask.id })).toBe(false);
    expect(served).toEqual([]);
  });

  test('withdraws its ask when the connection is given up, and when the command ends', async () => {
    const { session } = await open();
    for (const line of [far('a', '--max-time 1'), `${far('b')} & sleep 1; exit 0`]) {
      const { end, nth } = await begin(`${line}; true`);
      await nth(1);
      await end;
      expect(session.state.activity, line).toEqual({ status: 'resting' });
    }
    expect(served).toEqual([]);
  });

  test('ends with the session', async () => {
    const { session } = await open();
    const { end, nth } = await begin(far('a'));
    const { callId, ask } = await nth(1);
    await session.dispose();
    await end.catch(() => {});
    expect(session.decide(callId, { kind: 'once', askId: ask.id })).toBe(false);
    expect(served).toEqual([]);
  });

  test('does not flood the user with many hosts: they share asks, of which there are few', async () => {
    const { session } = await open();
    const { end, nth } = await begin(
      `for n in $(seq 60); do curl -sS --max-time 100 http://h$n.example/ >/dev/null & done; wait; curl -sS http://late.example/; echo end`,
    );
    for (let count = 1; count <= 5; count += 1) {
      const { callId, ask } = await nth(count);
      expect(ask.subject.kind === 'connect' && ask.subject.hosts.length).toBeLessThanOrEqual(8);
      session.decide(callId, { kind: 'deny', askId: ask.id });
    }
    await end;
    expect(asks(world!)).toHaveLength(5);
    expect(resultOf(world!)).toContain('has asked 5 times already, so late.example is not asked about');
  });

  test('never waits where nobody is there: it is refused at once, and the missing grant is named', async () => {
    await open({ interactive: false });
    await (await begin(far('a'))).end;
    expect(asks(world!)).toEqual([]);
    expect(resultOf(world!)).toContain('needs_hosts: ["far.example"]');
  });

  test('is not asked about this machine, nor about what is no name', async () => {
    await open();
    const near = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '169.254.169.254', '2130706433'];
    const lines = near.map(host => `curl -sS --noproxy '' -x "$http_proxy" http://${host}:1/`);
    await (await begin([...lines, `curl -sS -x "$ALL_PROXY" 'http://a_b!c/'`, 'echo end'].join('; '))).end;
    expect(asks(world!)).toEqual([]);
    expect(resultOf(world!)).toMatch(/(The sandbox does not let this command connect to \S+\n){6}/);
  });
});
