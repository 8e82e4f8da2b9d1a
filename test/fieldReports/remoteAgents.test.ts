/* Agents on other servers, as reports about clients of the Agent2Agent protocol describe them. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { A2aAgents } from '../../src/extension/a2a/a2aAgents.ts';
import { parseAgentCard } from '../../src/extension/core/agents/remote/parseAgentCard.ts';
import type {
  RemoteAgentServer,
  RemoteConversation,
} from '../../src/extension/core/agents/remote/remoteAgents.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import { ManualClock } from '../support/manualClock.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  /** The call; `undefined` of a GET. */
  readonly call: { readonly method: string; readonly params: { readonly message?: object } } | undefined;
}

type Serve = (sent: Sent, response: ServerResponse, origin: string, count: number) => void;

/** @param serve answers each request; those for the usual card come to it, too */
async function open(serve: Serve) {
  const requests: Sent[] = [];
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const packet of request) text += packet;
    const call = text === '' ? undefined : JSON.parse(text);
    const sent = { method: request.method ?? '', path: request.url ?? '', call };
    requests.push(sent);
    serve(sent, response, origin, requests.filter(each => each.call?.method === call?.method).length);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise(resolve => http.close(resolve));
  });
  const agents = new A2aAgents({ transport: new NodeTransport(), clock: new ManualClock(), env: {} });
  const send = (talk?: RemoteConversation, more: Partial<RemoteAgentServer> = {}) => {
    const server = { origin, card: `${origin}/agent-card.json`, ofWorkspace: false, ...more };
    const signal = new AbortController().signal;
    return agents.send({ server, text: 'Go', talk, hear: () => {} }, signal);
  };
  return { origin, send, requests };
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const result = (response: ServerResponse, value: unknown) =>
  json(response, { jsonrpc: '2.0', id: 1, result: value });
const refusal = (response: ServerResponse, code: number, message: string) =>
  json(response, { jsonrpc: '2.0', id: 1, error: { code, message } });
/** Events of a stream, which stays open where nothing ends it. */
function events(
  response: ServerResponse,
  values: readonly unknown[],
  end: 'ends' | 'stays' | 'breaks' = 'ends',
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const value of values)
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: value })}\n\n`);
  if (end === 'ends') response.end();
  if (end === 'breaks') setImmediate(() => response.destroy());
}

const cardOf = (origin: string, changes: object = {}) => ({
  name: 'Far',
  url: `${origin}/`,
  protocolVersion: '0.3.0',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  ...changes,
});
const ids = { taskId: 't1', contextId: 'c1' };
const parts = (text: string) => [{ kind: 'text', text }];
const message = (text: string) => ({ kind: 'message', role: 'agent', messageId: text, parts: parts(text) });
const status = (state: string, text?: string) => ({
  kind: 'status-update',
  ...ids,
  status: { state, message: text && message(text) },
});
const task = (state: string, text?: string, more: object = {}) => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state, message: text && message(text) },
  ...more,
});
const artifact = (text: string, more: object = {}) => ({
  kind: 'artifact-update',
  ...ids,
  artifact: { artifactId: 'a', parts: parts(text) },
  ...more,
});

interface Case extends WorldCase {
  readonly card?: (origin: string) => unknown;
  readonly answer: Serve;
  readonly talk?: RemoteConversation;
  /** What comes of it, or what the user reads. */
  readonly expected: object | RegExp;
}

const cases: readonly Case[] = [
  {
    title: 'the stream ends politely before the task does, which continues',
    source: 'report',
    answer: ({ call }, response, _origin, count) => {
      if (call?.method === 'message/stream')
        events(response, [task('submitted'), status('working', 'Half.')]);
      else result(response, count < 3 ? task('working') : task('completed', 'All.'));
    },
    expected: { end: 'done', text: 'All.' },
  },
  {
    title: 'the connection breaks while the task continues',
    source: 'report',
    answer: ({ call }, response) => {
      if (call?.method === 'message/stream') events(response, [task('working')], 'breaks');
      else result(response, task('completed', undefined, { artifacts: [artifact('Made.').artifact] }));
    },
    expected: { end: 'done', text: 'Made.' },
  },
  {
    title: 'the stream ends before the server has named a task',
    source: 'report',
    answer: (_sent, response) => events(response, []),
    expected: /^The agent at 127\.0\.0\.1:\d+ stopped answering before its task had ended\.$/,
  },
  {
    title: 'the stream ends early and the server knows its task no more',
    source: 'report',
    answer: ({ call }, response) => {
      if (call?.method === 'message/stream') events(response, [status('working')]);
      else refusal(response, -32001, 'Task not found');
    },
    expected: /stopped answering before its task had ended\.$/,
  },
  {
    title: 'a stream that stays open after the agent has asked',
    source: 'report',
    answer: (_sent, response) =>
      events(response, [task('working'), status('input-required', 'Which?')], 'stays'),
    expected: { end: 'asks', text: 'Which?', talk: { contextId: 'c1', taskId: 't1' } },
  },
  {
    title: 'a stream that begins with the task as it waited for this answer',
    source: 'report',
    talk: ids,
    answer: (_sent, response) =>
      events(response, [
        task('input-required', 'Which?'),
        status('working'),
        status('completed', 'Blue then.'),
      ]),
    expected: { end: 'done', text: 'Blue then.', talk: { contextId: 'c1', taskId: undefined } },
  },
  {
    title: 'a task that waited is over by now',
    source: 'report',
    talk: ids,
    answer: ({ call }, response) => {
      if (call?.params.message && 'taskId' in call.params.message)
        refusal(response, -32602, 'Task t1 is in a terminal state');
      else events(response, [message('Begun again.')]);
    },
    expected: { end: 'done', text: 'Begun again.', talk: { contextId: 'c1' } },
  },
  {
    title: 'a whole task as the last event, which repeats what came before',
    source: 'report',
    answer: (_sent, response) =>
      events(response, [
        status('working', 'Looking.'),
        artifact('One'),
        artifact(' two', { append: true }),
        task('completed', 'One two', { artifacts: [artifact('One two').artifact] }),
      ]),
    expected: { end: 'done', text: 'One two' },
  },
  {
    title: 'all of the answer in states of work, none at the end',
    source: 'report',
    answer: (_sent, response) =>
      events(response, [status('working', 'It is'), status('working', 'seven.'), status('completed')]),
    expected: { end: 'done', text: 'It is\n\nseven.' },
  },
  {
    title: 'a card that promises streams of a server that has none',
    source: 'report',
    answer: ({ call }, response) => {
      if (call?.method === 'message/stream') refusal(response, -32601, 'Method not found');
      else result(response, message('Plain.'));
    },
    expected: { end: 'done', text: 'Plain.' },
  },
  {
    title: 'a card that names the address on which its server listens',
    source: 'report',
    card: origin => cardOf(origin.replace('127.0.0.1', '0.0.0.0')),
    answer: (_sent, response) => events(response, [message('Here.')]),
    expected: { end: 'done', text: 'Here.' },
  },
  {
    title: 'a card with an address below its own',
    source: 'report',
    card: origin => ({ ...cardOf(origin), url: '/agents/far' }),
    answer: ({ path }, response) => events(response, [message(path)]),
    expected: { end: 'done', text: '/agents/far' },
  },
  {
    title: 'a card that has tasks and keys sent to another host',
    source: 'report',
    card: () => cardOf('https://thief.example'),
    answer: (_sent, response) => response.end(),
    expected:
      /forwards tasks to https:\/\/thief\.example, but Folio sends tasks and keys only to http:\/\/127/,
  },
  {
    title: 'a server that sends the task on to another host',
    source: 'report',
    answer: (_sent, response) => response.writeHead(307, { location: 'https://thief.example/a' }).end(),
    expected: /redirects to https:\/\/thief\.example\/a, and Folio does not send tasks and keys there\.$/,
  },
  {
    title: 'a server that moves within itself',
    source: 'report',
    answer: ({ path }, response) => {
      if (path === '/') response.writeHead(308, { location: '/v1' }).end();
      else events(response, [message('Moved.')]);
    },
    expected: { end: 'done', text: 'Moved.' },
  },
  {
    title: 'a card of an agent that speaks otherwise first, and JSON-RPC beside it',
    source: 'report',
    card: origin =>
      cardOf('https://grpc.example', {
        preferredTransport: 'GRPC',
        additionalInterfaces: [{ url: `${origin}/rpc`, transport: 'JSONRPC' }],
      }),
    answer: ({ path }, response) => events(response, [message(path)]),
    expected: { end: 'done', text: '/rpc' },
  },
  {
    title: 'a card of an agent that never speaks JSON-RPC',
    source: 'report',
    card: origin => cardOf(origin, { preferredTransport: 'GRPC' }),
    answer: (_sent, response) => response.end(),
    expected: /uses GRPC 0\.3\.0\. Folio supports only JSONRPC of A2A 0\.3 and 1\.0\.$/,
  },
  {
    title: 'a page in the place of a card',
    source: 'report',
    card: () => undefined,
    answer: (_sent, response) => response.end(),
    expected: /agent-card\.json is not an agent card: it is not JSON\.$/,
  },
  {
    title: 'a server without a card',
    source: 'report',
    card: () => 404,
    answer: (_sent, response) => response.end(),
    expected: /^No card of an agent is at http:\/\/127\.0\.0\.1:\d+\/agent-card\.json \(status 404\)/,
  },
  {
    title: 'an answer that is no JSON-RPC',
    source: 'report',
    answer: (_sent, response) => json(response, { ok: true }),
    expected: /sent an answer that is not valid in A2A\.$/,
  },
  {
    title: 'an error of the agent in the middle of its stream',
    source: 'report',
    answer: (_sent, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: ${JSON.stringify({ result: status('working') })}\n\ndata: {"error":{"code":-32603,"message":"Boom"}}\n\n`,
      );
    },
    expected: /answered with an error \(-32603\)\.$/,
  },
  {
    title: 'a server behind a gateway that is down',
    source: 'report',
    answer: (_sent, response) => response.writeHead(502).end('Bad gateway'),
    expected: /answered with status 502\.$/,
  },
  {
    title: 'files and data among the parts',
    source: 'service',
    answer: (_sent, response) =>
      events(response, [
        {
          ...message('x'),
          parts: [
            { kind: 'data', data: { n: 7 } },
            { kind: 'file', file: { name: 'a.png', mimeType: 'image/png', bytes: 'AAAA' } },
            { kind: 'file', file: { name: 'b.pdf', uri: 'https://files.example/b.pdf' } },
          ],
        },
      ]),
    expected: {
      text: '\n```json\n{\n  "n": 7\n}\n```\n\n[File a.png, image/png, which is not kept]\n\n[File b.pdf: https://files.example/b.pdf]\n',
    },
  },
];

describe('an agent on another server', () => {
  it.each(cases)('$title', async ({ card = cardOf, answer, talk, expected }) => {
    const { send } = await open((sent, response, origin, count) => {
      if (sent.path !== '/agent-card.json') return answer(sent, response, origin, count);
      const given = card(origin);
      if (given === undefined) response.end('<html>Log in</html>');
      else json(response, given, typeof given === 'number' ? given : 200);
    });
    if (expected instanceof RegExp) await expect(send(talk)).rejects.toThrow(expected);
    else expect(await send(talk)).toMatchObject(expected);
  });

  it('is found where earlier servers have their card', async () => {
    const { send, origin } = await open(({ path, call }, response) => {
      if (call) events(response, [message('Found.')]);
      else if (path === '/far/.well-known/agent.json')
        json(response, cardOf('http://127.0.0.1:1', { url: '/far' }));
      else response.writeHead(404).end();
    });
    expect(await send(undefined, { card: `${origin}/far/` })).toMatchObject({ text: 'Found.' });
  });
});

describe('a card', () => {
  it('leads to no other origin, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.webUrl().map(url => url.replace(/^https?:/, '')),
        ),
        url => {
          const from = 'https://agents.example/card.json';
          try {
            const endpoint = parseAgentCard({ url }, from);
            expect(new URL(endpoint.url).origin).toBe('https://agents.example');
          } catch (error) {
            expect(String(error)).toContain('RemoteAgentError');
          }
        },
      ),
    );
  });

  it('in a file names an address that is encrypted or on this computer', () => {
    expect(() => parseAgentCard({ url: 'http://agents.example/' })).toThrow(/without https:\/\//);
    expect(() => parseAgentCard({ url: 'https://user:word@agents.example/' })).toThrow(/without https:\/\//);
    expect(parseAgentCard({ url: 'http://localhost:8000/' })).toMatchObject({
      version: '0.3',
      streams: false,
    });
  });
});
