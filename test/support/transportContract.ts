import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findNetworkFailure } from '../../src/extension/models/wire/networkErrors.ts';
import type { HttpTransport, TransportRequest } from '../../src/extension/platform/http/httpTransport.ts';
import { FaultyServer } from './faultyServer.ts';

/** What every `HttpTransport` promises; call it with a maker for each adapter. */
export function transportContract(name: string, make: () => HttpTransport): void {
  describe(`${name} keeps the transport contract`, () => {
    let server: FaultyServer;
    const transport = make();
    const bytes = (text: string) => new TextEncoder().encode(text);

    beforeEach(async () => {
      server = new FaultyServer();
      await server.start();
    });
    afterEach(async () => {
      await server.stop();
    });

    const requestOf = (more: Partial<TransportRequest> = {}): TransportRequest => ({
      url: `${server.origin}/path?query=1`,
      method: 'POST',
      headers: { 'x-own': 'value' },
      body: [bytes('{"ä":'), bytes('1}')],
      signal: new AbortController().signal,
      ...more,
    });

    async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
      const decoder = new TextDecoder();
      let text = '';
      for await (const packet of body) text += decoder.decode(packet, { stream: true });
      return text;
    }

    /** What a promise that must fail failed with. */
    async function errorOf(work: Promise<unknown>): Promise<unknown> {
      return work.then(
        () => expect.fail('It succeeded.'),
        error => error,
      );
    }

    test('pieces are sent as one body, with the headers that were given', async () => {
      server.always = ({ response }) => void response.end('Fine.');
      const answer = await transport.send(requestOf());
      expect(await textOf(answer.body)).toBe('Fine.');
      expect(server.requests).toMatchObject([
        { path: '/path?query=1', body: '{"ä":1}', headers: { 'x-own': 'value', 'content-length': '8' } },
      ]);
    });

    test('a body of megabytes arrives whole', async () => {
      server.always = ({ response }) => void response.end();
      const pieces = ['a', 'ä', 'b'].map(letter => bytes(letter.repeat(700_000)));
      await transport.send(requestOf({ body: pieces })).then(({ body }) => textOf(body));
      expect(server.requests[0]?.body.length).toBe(2_100_000);
      expect(server.requests[0]?.body).toMatch(/^a+ä+b+$/);
    });

    test('no pieces are no body', async () => {
      server.always = ({ response }) => void response.end();
      const answer = await transport.send(requestOf({ method: 'GET', body: [] }));
      expect(await textOf(answer.body)).toBe('');
      expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
    });

    test('an answer of any status comes with its headers and its body', async () => {
      server.always = ({ response }) => {
        response.writeHead(429, { 'Retry-After': '7', 'X-Many': ['a', 'b'], 'Set-Cookie': 'c=1' });
        response.end('Too many.');
      };
      const answer = await transport.send(requestOf());
      expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '7', 'x-many': 'a, b' } });
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(await textOf(answer.body)).toBe('Too many.');
    });

    test('an answer without a body has an empty one', async () => {
      server.always = ({ response }) => void response.writeHead(204).end();
      const answer = await transport.send(requestOf());
      expect(answer.status).toBe(204);
      expect(await textOf(answer.body)).toBe('');
    });

    test('packets are given on as they come', async () => {
      let goOn = (): void => undefined;
      server.always = ({ response }) => {
        response.write('one');
        goOn = () => response.end('two');
      };
      const { body } = await transport.send(requestOf());
      const packets: string[] = [];
      for await (const packet of body) {
        packets.push(Buffer.from(packet).toString());
        goOn();
      }
      expect(packets).toEqual(['one', 'two']);
    });

    test('a redirect is not followed', async () => {
      server.always = ({ response }) => void response.writeHead(307, { location: '/other' }).end();
      const { status } = await transport.send(requestOf());
      expect(status).toBeGreaterThanOrEqual(300);
      expect(status).toBeLessThan(400);
      expect(server.requests).toHaveLength(1);
    });

    test('a compressed answer is decompressed', async () => {
      server.always = ({ response }) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Small.'));
      };
      expect(await textOf((await transport.send(requestOf())).body)).toBe('Small.');
    });

    test('where nobody listens the error says so', async () => {
      const url = server.origin;
      await server.stop();
      const error = await errorOf(transport.send(requestOf({ url })));
      expect(findNetworkFailure(error)).toEqual({ kind: 'failed', code: 'ECONNREFUSED' });
    });

    test('a connection that ends in the middle of the body ends the body with an error', async () => {
      server.always = ({ response, socket }) => {
        response.write('half');
        setImmediate(() => socket.destroy());
      };
      const error = await errorOf(transport.send(requestOf()).then(({ body }) => textOf(body)));
      expect(findNetworkFailure(error)?.kind).toBe('failed');
    });

    test('what cannot be a header is refused before anything is sent', async () => {
      await errorOf(transport.send(requestOf({ headers: { 'x-own': 'two\nlines' } })));
      expect(server.requests).toEqual([]);
    });

    test('an abort before the request sends nothing', async () => {
      const signal = AbortSignal.abort(new Error('Stopped.'));
      expect(await errorOf(transport.send(requestOf({ signal })))).toBe(signal.reason);
      expect(server.requests).toEqual([]);
    });

    test('an abort before the headers rejects with its reason, and ends the connection', async () => {
      const stop = new AbortController();
      const left = new Promise<void>(resolve => {
        server.always = ({ gone }) => {
          gone.addEventListener('abort', () => resolve());
          stop.abort(new Error('Stopped.'));
        };
      });
      expect(await errorOf(transport.send(requestOf({ signal: stop.signal })))).toBe(stop.signal.reason);
      await left;
    });

    test('an abort within the body rejects with its reason, and ends the connection', async () => {
      const stop = new AbortController();
      const left = new Promise<void>(resolve => {
        server.always = ({ response, gone }) => {
          gone.addEventListener('abort', () => resolve());
          response.write('half');
        };
      });
      const { body } = await transport.send(requestOf({ signal: stop.signal }));
      const reading = async () => {
        for await (const _packet of body) stop.abort(new Error('Stopped.'));
      };
      expect(await errorOf(reading())).toBe(stop.signal.reason);
      await left;
    });

    test('an abort after the whole answer has come, but before it is read, is told to its reader alone', async () => {
      const stop = new AbortController();
      server.always = ({ response }) => void response.end('Fine.');
      const { body } = await transport.send(requestOf({ signal: stop.signal }));
      const reading = async () => {
        for await (const _packet of body) stop.abort(new Error('Stopped.'));
      };
      await reading().catch(error => expect(error).toBe(stop.signal.reason));
      stop.abort();
    });

    test('who leaves the body early ends the connection', async () => {
      const left = new Promise<void>(resolve => {
        server.always = ({ response, gone }) => {
          gone.addEventListener('abort', () => resolve());
          response.write('half');
        };
      });
      const { body } = await transport.send(requestOf());
      for await (const _packet of body) break;
      await left;
    });
  });
}
