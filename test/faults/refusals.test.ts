/* What a server says in the place of an answer. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../support/certificates.ts';
import { apiKey, type Wire, wires } from '../support/faultWires.ts';
import { expectOneSentence, expectTriedAgain, FaultWorld } from '../support/faultWorld.ts';
import { type FaultyAnswer, FaultyServer, respond, streamed } from '../support/faultyServer.ts';

type Row = readonly [string, (wire: Wire) => FaultyAnswer, says: RegExp];

const html = { 'content-type': 'text/html; charset=utf-8' };
const login = '<!doctype html>\n<title>Log in</title>\n<p>Welcome to the hotel.</p>\n';

/** Each is tried again, and when it stays so it ends with a sentence. */
const passing: readonly Row[] = [
  ['status 429', ({ refusals }) => refusals.tooMany, /too many requests/],
  ['status 429 with a delay', ({ refusals }) => refusals.tooManyForAWhile, /too many requests/],
  ['status 500', () => respond(500, { 'content-type': 'application/json' }, '{}'), /overloaded/],
  ['status 500 without a word', () => respond(500, {}, ''), /overloaded/],
  ['status 503 with a page of a proxy', () => respond(503, html, login), /overloaded/],
  ['status 408', () => respond(408, {}, ''), /stopped the request/],
  ['a text', () => respond(200, { 'content-type': 'text/plain' }, 'OK'), /empty answer|ended early/],
  ['no content', () => respond(204, {}, ''), /ended early|empty/],
  [
    'an object without anything',
    () => respond(200, { 'content-type': 'application/json' }, '{}'),
    /ended early|empty/,
  ],
];

/** To try these again would not help. */
const final: readonly (readonly [...Row, kind: string])[] = [
  ['a used up quota of the day', ({ refusals }) => refusals.dayQuota, /quota.*Select Model/, 'quota'],
  ['an invalid key', ({ refusals }) => refusals.wrongKey, /rejected the API key/, 'auth'],
  ['a page to log in', () => respond(200, html, login), /web page.*login/, 'invalidStream'],
  ['status 403', () => respond(403, {}, ''), /does not allow/, 'forbidden'],
  [
    'status 404',
    () => respond(404, html, login),
    /no generateContent|no chat completions|no Messages of Anthropic|no Responses of OpenAI/,
    'notFound',
  ],
  ['status 413', () => respond(413, {}, ''), /longer than the model/, 'tooLarge'],
  [
    'status 418',
    () => respond(418, { 'content-type': 'application/json' }, '["teapot"]'),
    /status 418/,
    'unknown',
  ],
];

describe.for(wires)('over $name', wire => {
  test.for(passing)('%s is tried again', ([, fault]) => expectTriedAgain(wire, fault(wire), 2));

  test.for(passing)('%s each time ends in one sentence', ([, fault, says]) =>
    expectOneSentence(wire, fault(wire), says),
  );

  test.for(final)('%s ends in one sentence at once', async ([, fault, says, kind]) => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(fault(wire));
    expect(await world.expectFailure('Hello.')).toMatchObject({ kind, message: expect.stringMatching(says) });
    expect(world.server.requests).toHaveLength(1);
    await world.expectSound();
    await world.server.stop();
  });

  test('the delay that a server asks for is kept, and without one the pause grows', async () => {
    const world = await FaultWorld.make(wire);
    const { tooMany, tooManyForAWhile } = wire.refusals;
    world.server.script.push(tooMany, tooMany, tooManyForAWhile, world.good('Here it is.'));
    await world.expectAnswer('Hello.', 'Here it is.');
    expect(world.retries.map(({ delayMs }) => delayMs)).toEqual([5000, 10_000, 44_000]);
    // Other rooms rest for less.
    expect(world.world.clock.slept.filter(ms => ms >= 1000)).toEqual([5000, 10_000, 44_000]);
    await world.expectSound();
    await world.server.stop();
  });

  test.for([301, 302, 303, 307, 308])(
    'a redirect with status %i gives key and conversation to nobody',
    async status => {
      const other = new FaultyServer();
      await other.start();
      other.always = streamed(wire.text('I am somebody else.'), wire.finish);
      const world = await FaultWorld.make(wire);
      world.server.script.push(respond(status, { location: `${other.origin}/v1beta?key=${apiKey}` }, ''));
      const { kind, message } = await world.expectFailure('Hello.');
      expect(kind).toBe('badRequest');
      expect(message).toContain(new URL(other.origin).host);
      expect(message).toContain(wire.setting);
      expect(other.requests).toEqual([]);
      await world.expectSound();
      await world.server.stop();
      await other.stop();
    },
  );

  test('an address that wants no encryption is told so', async () => {
    const world = await FaultWorld.make(wire, { origin: ({ origin }) => origin.replace('http:', 'https:') });
    expect(await world.expectFailure('Hello.')).toMatchObject({ kind: 'network' });
    expect(world.server.requests).toEqual([]);
    await expect.poll(() => world.server.open).toBe(0);
    await world.server.stop();
  });

  test.skipIf(!hasOpenssl)('a certificate that nobody signed ends in one sentence at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'folio-tls-'));
    const server = createServer(await makeCertificate(folder));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const world = await FaultWorld.make(wire, { origin: () => `https://127.0.0.1:${port}` });
    const { kind, message } = await world.expectFailure('Hello.');
    expect(kind).toBe('network');
    expect(message).toMatch(/not trusted.*certificate/);
    expect(world.retries).toEqual([]);
    await new Promise<void>(resolve => server.close(() => resolve()));
    await world.server.stop();
    await rm(folder, { recursive: true });
  });
});
