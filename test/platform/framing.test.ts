import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { lineStream } from '../../src/extension/acp/lineStream.ts';
import { Emitter } from '../../src/extension/base/emitter.ts';
import { ProcessReader } from '../../src/extension/lsp/messages.ts';
import { AdapterConnection } from '../../src/extension/node/debug/adapterConnection.ts';
import { FramedMessageParser } from '../../src/extension/platform/framing/framedMessageParser.ts';
import type { ServerProcess } from '../../src/extension/platform/serverProcesses.ts';

/** A process whose output the test writes. */
function printer() {
  const output = new Emitter<Uint8Array>();
  const process: ServerProcess = {
    pid: undefined,
    onDidRead: output.event,
    onDidLog: new Emitter<string>().event,
    write: async () => {},
    exit: new Promise(() => {}),
    stop: async () => {},
  };
  return { process, print: (bytes: Uint8Array) => output.fire(bytes) };
}

/** Bytes that are put together, since they came in pieces. */
let copied = 0;
let concat: MockInstance<typeof Buffer.concat>;

beforeEach(() => {
  copied = 0;
  const join = Buffer.concat.bind(Buffer);
  concat = vi.spyOn(Buffer, 'concat').mockImplementation((chunks, length) => {
    const joined = join(chunks, length);
    copied += joined.length;
    return joined;
  });
});

afterEach(() => concat.mockRestore());

const size = 2_000_000;
const pieces = 1_000;

function printTorn(print: (bytes: Uint8Array) => void, text: string): void {
  const bytes = Buffer.from(text);
  const step = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += step) print(bytes.subarray(at, at + step));
}

const framed = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

it.each([
  [
    'a line of an agent',
    async () => {
      const { process, print } = printer();
      const reader = lineStream(process, () => {}).readable.getReader();
      printTorn(
        print,
        `${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'ü'.repeat(size / 2) } })}\n`,
      );
      return JSON.stringify((await reader.read()).value);
    },
  ],
  [
    'a message of a debug adapter',
    async () => {
      const { process, print } = printer();
      const heard: unknown[] = [];
      new AdapterConnection(process, (_event, body) => heard.push(body));
      printTorn(
        print,
        framed(JSON.stringify({ type: 'event', event: 'output', body: 'ü'.repeat(size / 2) })),
      );
      return JSON.stringify(heard);
    },
  ],
  [
    'a message of a language server',
    async () => {
      const { process, print } = printer();
      const heard: unknown[] = [];
      new ProcessReader(
        process,
        () => {},
        () => {},
      ).listen(message => void heard.push(message));
      printTorn(print, framed(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'ü'.repeat(size / 2) })));
      return JSON.stringify(heard);
    },
  ],
])('copies %s once, in however many pieces it comes', async (_what, read) => {
  expect((await read()).split('ü')).toHaveLength(size / 2 + 1);
  expect(copied).toBeGreaterThan(size);
  expect(copied).toBeLessThan(1.1 * size);
});

function read(pieces: readonly string[], limits = { header: 100, message: 1_000 }) {
  const heard: unknown[] = [];
  const messages = new FramedMessageParser(limits, {
    message: bytes => heard.push(bytes.toString()),
    tooLong: (head, length) => heard.push({ head: head.length, length }),
    noHeader: (bytes, isEndless) => heard.push({ junk: bytes.toString(), isEndless }),
  });
  for (const piece of pieces) messages.add(Buffer.from(piece));
  return heard;
}

it('finds messages wherever the pieces end, and an empty one', () => {
  const text = `${framed('one')}${framed('')}${framed('zwölf')}`;
  expect(read([text])).toEqual(['one', '', 'zwölf']);
  expect(read([...Buffer.from(text)].map(byte => String.fromCharCode(byte)).slice(0, 30))).toEqual(['one']);
});

it('skips a message that is too long once its head was read, and finds the next one', () => {
  const long = 'x'.repeat(1_001);
  expect(read([framed(long).slice(0, 300)])).toEqual([{ head: 200, length: 1_001 }]);
  expect(read([framed(long), framed('next')])).toEqual([{ head: 200, length: 1_001 }, 'next']);
});

it('reports what is no header, and holds no more of it than the limit', () => {
  expect(read(['Welcome\r\n\r\n', framed('one')])).toEqual([{ junk: 'Welcome', isEndless: false }, 'one']);
  expect(read(['x'.repeat(90), 'y'.repeat(20)])).toEqual([
    { junk: `${'x'.repeat(90)}${'y'.repeat(20)}`, isEndless: true },
  ]);
});
