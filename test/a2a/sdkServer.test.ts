/* Agents behind the server of the protocol's own SDK, in both versions of the protocol. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { A2aAgents } from '../../src/extension/a2a/a2aAgents.ts';
import type {
  RemoteAgentServer,
  RemoteConversation,
} from '../../src/extension/core/agents/remote/remoteAgents.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { A2aServer, type A2aVersion } from '../support/a2aServer.ts';

async function open(options: { version?: A2aVersion; streams?: boolean } = {}) {
  const server = await A2aServer.start(options);
  onTestFinished(() => server.end());
  const env = { COUNTER_TOKEN: 'open-sesame', OPENAI_API_KEY: 'folio-key' };
  const agents = new A2aAgents({ transport: new NodeTransport(), clock: new SystemClock(), env });
  let heard = '';
  const say = (
    text: string,
    talk?: RemoteConversation,
    more: Partial<RemoteAgentServer> = {},
    signal = new AbortController().signal,
  ) => {
    heard = '';
    const place = { origin: server.origin, card: server.cardUrl, ofWorkspace: false, ...more };
    const hear = (part: string) => {
      heard += part;
    };
    return agents.send({ server: place, text, talk, hear }, signal);
  };
  return { server, say, heard: () => heard };
}

const kinds = (['1.0', '0.3'] as const).flatMap(version =>
  [true, false].map(streams => ({ version, streams })),
);

describe.each(kinds)('an agent of version $version, streaming: $streams', kind => {
  it('hands in what it made', async () => {
    const { say, heard, server } = await open(kind);
    const answer = await say('count');
    expect(answer).toMatchObject({ end: 'done', text: 'one two three', talk: { taskId: undefined } });
    expect(heard()).toMatch(/one two three$/);
    if (kind.streams) expect(heard()).toBe('I begin.\n\none two three');
    expect(server.requests[0]!.headers['a2a-version']).toBe(kind.version === '1.0' ? '1.0' : undefined);
  });

  it('continues with the conversation', async () => {
    const { say } = await open(kind);
    const { talk } = await say('count');
    expect(talk.contextId).toBeTruthy();
    expect(await say('where', talk)).toMatchObject({ text: `In ${talk.contextId}.` });
  });

  it('asks, and continues with the answer', async () => {
    const { say, server } = await open(kind);
    const asked = await say('ask');
    expect(asked).toMatchObject({ end: 'asks', text: 'Which colour?' });
    const answer = await say('blue', asked.talk);
    expect(answer).toMatchObject({ end: 'done', text: 'You said blue.', talk: { taskId: undefined } });
    expect(server.requests.at(-1)!.params).toMatchObject(
      kind.streams ? { message: { taskId: asked.talk.taskId } } : { id: asked.talk.taskId },
    );
  });

  it('begins a new task where the one that waited is gone', async () => {
    const { say } = await open(kind);
    const { talk } = await say('count');
    expect(await say('where', { ...talk, taskId: 'long-gone' })).toMatchObject({
      end: 'done',
      text: `In ${talk.contextId}.`,
    });
  });

  it('fails in its own words', async () => {
    const { say } = await open(kind);
    expect(await say('fail')).toMatchObject({ end: 'failed', text: 'The oven is cold.' });
  });

  it('is canceled when it is stopped', async () => {
    const { say, server, heard } = await open(kind);
    const stop = new AbortController();
    const running = say('hang', undefined, {}, stop.signal);
    await expect.poll(() => (kind.streams ? heard() : server.requests.length)).toBeTruthy();
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(server.canceled).toHaveLength(1);
  });
});

it('carries its credentials, and names the variable where they are not accepted', async () => {
  const { say, server } = await open();
  server.wanted = 'Bearer open-sesame';
  const login = {
    kind: 'header',
    header: 'authorization',
    prefix: 'Bearer ',
    secret: { variable: 'COUNTER_TOKEN' },
  } as const;
  expect(await say('count', undefined, { login })).toMatchObject({ end: 'done' });
  expect(await say('open-sesame', undefined, { login })).toMatchObject({ text: 'You said [masked].' });
  server.wanted = 'Bearer another';
  await expect(say('count', undefined, { login })).rejects.toThrow(
    /does not accept the credentials \(status 401\): check COUNTER_TOKEN\.$/,
  );
  await expect(say('count')).rejects.toThrow(
    /requires credentials \(status 401\): add `auth` to its file\.$/,
  );
});

it.each([
  [
    'that is not set',
    { variable: 'NOBODY_SET_IT' },
    /needs the environment variable NOBODY_SET_IT, which is not set\.$/,
  ],
  ["of Folio's own", { variable: 'OPENAI_API_KEY' }, /a key of Folio, which workspace agents cannot use/],
])('sends nothing for a variable %s', async (_name, secret, sentence) => {
  const { say, server } = await open();
  const login = { kind: 'header', header: 'x-api-key', prefix: '', secret } as const;
  await expect(say('count', undefined, { login, ofWorkspace: true })).rejects.toThrow(sentence);
  expect(server.requests).toEqual([]);
});

it('is found by the address of its server', async () => {
  const { say, server } = await open();
  expect(await say('count', undefined, { card: server.origin })).toMatchObject({ text: 'one two three' });
});
