/* Over real sockets; the ports are those on which this test's own servers listen. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  findLocalServers,
  type ListModels,
  type LocalModelServer,
  localModelServers,
} from '../../../src/extension/vscode/connect/localServers.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../../support/openaiServer.ts';

const never = new AbortController().signal;
/** Generous where something answers; a short one only for what never does. */
const limit = 60_000;
const list: ListModels = (address, signal) => openAiAt(address, '').listModels(signal);

function at(address: string, name = 'Mine'): LocalModelServer {
  return { name, port: Number(new URL(address).port), getModel: () => 'Load one' };
}

async function start(options?: OpenAiServerOptions) {
  const server = await startOpenAiServer(options);
  onTestFinished(() => server.dispose());
  return server;
}

async function startStranger(answer: 'page' | 'nothing'): Promise<string> {
  const server = createServer((_request, response) => {
    if (answer === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>My site</h1>');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the usual ports are those of four programs, each with the way to a model', () => {
  expect(localModelServers.map(({ name, port }) => `${name} ${port}`)).toEqual([
    'Ollama 11434',
    'LM Studio 1234',
    'llama.cpp 8080',
    'vLLM 8000',
  ]);
});

test('what answers at a port is told apart, and where nothing listens nothing is told', async () => {
  const full = await start();
  const empty = await start({ models: { object: 'list', data: null } });
  const locked = await start({ apiKey: 'right' });
  const page = await startStranger('page');
  const dead = await findDeadAddress();
  const places = [full.baseUrl, empty.baseUrl, dead, locked.baseUrl, page].map(address => at(address));
  const found = await findLocalServers(places, list, never, limit);
  expect(found.map(({ kind }) => kind)).toEqual(['models', 'noModels', 'wantsKey', 'stranger']);
  expect(found[0]).toMatchObject({ address: full.baseUrl, models: [{ id: 'qwen3' }] });
  // Nobody knows yet who listens there.
  expect(full.lists.map(headers => headers.authorization)).toEqual([undefined]);
});

test('a server that takes the question and says nothing does not hold the others up', async () => {
  const mute = await startStranger('nothing');
  const full = await start();
  const places = [at(mute), at(full.baseUrl)];
  const bounded: ListModels = (address, signal) =>
    list(address, address.startsWith(mute) ? signal : AbortSignal.timeout(limit));
  const found = await findLocalServers(places, bounded, never, 300);
  expect(found.map(({ kind }) => kind)).toEqual(['stranger', 'models']);
});

test('looking ends at once when it is stopped', async () => {
  const mute = await startStranger('nothing');
  const stop = new AbortController();
  const scanning = findLocalServers([at(mute)], list, stop.signal, limit);
  stop.abort();
  await expect(scanning).rejects.toThrow();
});
