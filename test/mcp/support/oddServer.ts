/*
 * A working server with one odd behaviour: `node oddServer.ts <how>`. It uses no library. Its tool `act` triggers the
 * behaviour; `say` checks whether it still works.
 */

import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

type Odd = (id: number) => Promise<void> | void;

const [how = ''] = process.argv.slice(2);
const write = (text: string | Uint8Array) => new Promise(resolve => process.stdout.write(text, resolve));
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const send = (message: object) => write(line(message));
const answer = (id: unknown, text: string) => ({ id, result: { content: [{ type: 'text', text }] } });

/** Answers to the requests of the server. */
const heard: Message[] = [];
let reported: (message: Message) => void = () => {};
const next = (fits: (message: Message) => boolean) =>
  new Promise<Message>(resolve => {
    reported = message => {
      if (fits(message)) resolve(message);
    };
  });

const odd: Readonly<Record<string, Odd>> = {
  talks: async id => {
    await send({ method: 'notifications/resources/updated', params: { uri: 'x:1' } });
    await send({ method: 'notifications/weather/changed', params: { sky: 'grey' } });
    const both = next(() => heard.length === 2);
    await send({ id: 'u1', method: 'weather/forecast', params: {} });
    await send({ id: 'p1', method: 'ping' });
    await both;
    await send(answer(id, JSON.stringify(heard)));
  },
  repeats: async id => {
    await send(answer(id, 'the first'));
    await send(answer(id, 'the second'));
    await send({
      method: 'notifications/progress',
      params: { progressToken: id, progress: 9, message: 'late' },
    });
  },
  // Works on, whatever becomes of the call.
  late: async id => {
    await send({ method: 'notifications/progress', params: { progressToken: id, progress: 1 } });
    await next(({ method }) => method === 'notifications/cancelled');
    await send(answer(id, 'too late'));
  },
  logs: async id => {
    const params = { level: 'info', data: `said ${'y'.repeat(1_000_000)}` };
    await new Promise(resolve => process.stderr.write(`wrote ${'x'.repeat(1_000_000)}\n`, resolve));
    await send({ method: 'notifications/message', params });
    await send(answer(id, 'logged'));
  },
  halves: async id => {
    const bytes = Buffer.from(line(answer(id, 'Grüße 👋')));
    // Splits after the first byte of each multi-byte character.
    for (const part of cutWithin(bytes)) {
      await write(part);
      await sleep(30);
    }
  },
};

function cutWithin(bytes: Buffer): readonly Buffer[] {
  const cuts = [...bytes.keys()].filter(at => bytes[at]! >= 0xc0).map(at => at + 1);
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
}

// Keeps running after its input is closed.
if (how === 'deaf') setInterval(() => {}, 60_000);

createInterface({ input: process.stdin }).on('line', async text => {
  const message: Message = JSON.parse(text);
  const { id, method, params } = message;
  if (method === undefined) heard.push(message);
  reported(message);
  if (method === 'initialize') {
    if (how === 'banner') await write('Welcome to the server: ');
    const capabilities = { tools: {}, logging: {} };
    const result = {
      protocolVersion: params?.protocolVersion,
      capabilities,
      serverInfo: { name: how, version: '1' },
    };
    await send({ id, result });
  } else if (method === 'tools/list') {
    await list(id);
  } else if (method === 'tools/call') {
    const act = params?.name === 'act' ? odd[how] : undefined;
    if (act && typeof id === 'number') await act(id);
    else await send(answer(id, 'said'));
  } else if (id !== undefined && method !== undefined) await send({ id, result: {} });
});

async function list(id: unknown): Promise<void> {
  const tools = ['act', 'say'].map(name => ({ name, inputSchema: { type: 'object' } }));
  const more = how === 'pages' ? { nextCursor: `${Math.random()}` } : {};
  await send({ id, result: { tools, ...more } });
  // Node leaves this descriptor open.
  if (how === 'deaf') closeSync(0);
}
