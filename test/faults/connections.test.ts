/* What may happen to a connection: nobody there, a break, silence. */

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { idleTimeoutMs } from '../../src/extension/models/wire/boundedSend.ts';
import type { Wire } from '../support/faultWires.ts';
import { geminiInWindow, wires } from '../support/faultWires.ts';
import { expectOneSentence, expectTriedAgain, FaultWorld } from '../support/faultWorld.ts';
import { begin, byteByByte, type FaultyAnswer } from '../support/faultyServer.ts';

/** Each is tried again, and when it stays so it ends with a sentence. */
const breaks: readonly (readonly [string, (wire: Wire) => FaultyAnswer, says: RegExp])[] = [
  [
    'is reset before any header',
    () =>
      ({ socket }) =>
        void socket.resetAndDestroy(),
    /connection to .* failed/,
  ],
  [
    'is closed before any header',
    () =>
      ({ socket }) =>
        void socket.destroy(),
    /connection to .* failed/,
  ],
  ['is closed within the headers', () => cutHead('HTTP/1.1 200 OK\r\ncontent-ty'), /connection to .* failed/],
  ['carries no HTTP', () => cutHead('SSH-2.0-OpenSSH_9.6\r\n\r\n'), /connection to .* failed/],
  [
    'is reset within the answer',
    wire => async connection => {
      await begin([wire.text('So f')])(connection);
      connection.socket.resetAndDestroy();
    },
    /connection to .* failed/,
  ],
  [
    'is closed within a word of the answer',
    wire => async connection => {
      await begin([wire.text('So far').slice(0, -9)])(connection);
      connection.socket.destroySoon();
    },
    /connection to .* failed|ended early/,
  ],
  [
    'brings less than it announced',
    wire =>
      ({ socket }) => {
        const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 99999\r\n\r\n';
        socket.end(head + wire.text('So far'));
      },
    /connection to .* failed/,
  ],
  [
    'brings a compressed answer that is none',
    () =>
      ({ response }) => {
        const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };
        response.writeHead(200, headers).end(gzipSync('data: {}\n\n').fill(7, 12));
      },
    /connection to .* failed|ended early/,
  ],
];

const hangs: readonly (readonly [string, (wire: Wire) => FaultyAnswer])[] = [
  ['before the headers', () => () => {}],
  [
    'within the headers',
    () =>
      ({ socket }) =>
        void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/ev'),
  ],
  ['after the headers', () => begin([])],
  ['within the answer', wire => begin([wire.text('So')])],
  ['within a character', wire => begin([Buffer.from(wire.text('ü')).subarray(0, -20)])],
  [
    'after an error status',
    () =>
      ({ response }) =>
        void response.writeHead(503).flushHeaders(),
  ],
];

/** An error status has been said, whatever becomes of its body. */
const silences = hangs.slice(0, -1);

const ways = [
  ...wires.map(wire => ({ way: wire.name as string, wire })),
  { way: 'gemini of a window', wire: geminiInWindow },
];

describe.for(ways)('over $way a connection that', ({ wire }) => {
  test.for(breaks)('%s is tried again', ([, fault]) => expectTriedAgain(wire, fault(wire), 2));

  test.for(breaks)('%s each time ends in one sentence', ([, fault, says]) =>
    expectOneSentence(wire, fault(wire), says),
  );

  test('is refused on this machine is told at once, and Retry works as soon as somebody listens', async () => {
    const world = await FaultWorld.make(wire);
    const { host } = new URL(world.server.origin);
    await world.server.stop();
    const { message } = await world.expectFailure('Hello.');
    expect(message).toMatch(
      /^Cannot reach .* at \S+ \(ECONNREFUSED\)\. Start the server or change its address in the setting \S+, then retry\.$/,
    );
    expect(message).toContain(host);
    expect(message).toContain(wire.setting);
    expect(world.retries).toEqual([]);
    await world.server.start();
    world.server.always = world.good('Here it is.');
    await world.world.session.retry();
    expect(world.server.requests).toHaveLength(1);
    await world.expectSound();
    await world.server.stop();
  });

  test('brings its answer byte by byte, the headers too, is as good as any', async () => {
    const world = await FaultWorld.make(wire);
    world.server.always = byteByByte(wire.text('Grüße 👋 日本'), wire.finish);
    await world.expectAnswer('Hello.', 'Grüße 👋 日本');
    expect(world.retries).toEqual([]);
    await world.expectSound();
    await world.server.stop();
  });

  test.for(hangs)('says nothing more %s is given up and tried again', async ([, fault]) => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(world.thenSilence(fault(wire)));
    world.server.always = world.good('Here it is.');
    await world.expectAnswer('Hello.', 'Here it is.');
    expect(world.retries.map(({ reason }) => reason).join()).toMatch(
      /has not responded for 290 seconds|status 503/,
    );
    await world.expectSound();
    await world.server.stop();
  });

  test.for(silences)('says nothing more %s each time is given up after two more tries', async ([, fault]) => {
    const world = await FaultWorld.make(wire);
    world.server.always = world.thenSilence(fault(wire));
    const problem = await world.expectFailure('Hello.');
    expect(problem.kind).toBe('silent');
    expect(problem.message).toMatch(/has not responded for 290 seconds/);
    expect(world.server.requests).toHaveLength(3);
    expect(world.retries.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [2, 3],
      [3, 3],
    ]);
    await world.expectSound();
    await world.server.stop();
  });

  test('is closed again and again after two silences is tried as often as any', async () => {
    const world = await FaultWorld.make(wire);
    const silence = world.thenSilence(() => {});
    world.server.script.push(silence, silence);
    world.server.always = ({ socket }) => void socket.destroy();
    expect((await world.expectFailure('Hello.')).kind).toBe('network');
    expect(world.server.requests).toHaveLength(10);
    await world.expectSound();
    await world.server.stop();
  });

  test.for(hangs)('says nothing more %s can be stopped', async ([, fault]) => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(fault(wire));
    const { session } = world.world;
    const turn = session.send('Hello.');
    await expect.poll(() => world.server.requests.length).toBe(1);
    expect(session.state.activity.status).toBe('working');
    await session.stop();
    expect(await turn).toEqual({ kind: 'stopped' });
    await expect.poll(() => world.server.open).toBe(0);
    await world.expectSound();
    await world.server.stop();
  });

  test('is slow, but never silent for long, is waited for', async () => {
    const world = await FaultWorld.make(wire);
    const { clock } = world;
    world.server.always = async connection => {
      await begin([])(connection);
      for (let i = 0; i < 3; i++) {
        clock.pass(idleTimeoutMs - 1);
        connection.response.write(': still here\n\n');
        await expect.poll(() => clock.next - clock.now(), { interval: 5 }).toBe(idleTimeoutMs);
      }
      connection.response.end(wire.text('Here it is.') + wire.finish);
    };
    await world.expectAnswer('Hello.', 'Here it is.');
    expect(world.retries).toEqual([]);
    await world.expectSound();
    await world.server.stop();
  });
});

/** These bytes in the place of a response. */
function cutHead(bytes: string): FaultyAnswer {
  return ({ socket }) => void socket.end(bytes);
}
