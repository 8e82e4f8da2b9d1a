import { expect, test } from 'vitest';
import { ModelError, type ModelEvent, type ModelInfo } from '../../src/extension/core/model.ts';
import type { ProviderName } from '../../src/extension/platform/settings.ts';
import {
  type Endpoint,
  ModelConnection,
  type ModelConnectionParts,
} from '../../src/extension/vscode/modelConnection.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const listed: readonly ModelInfo[] = [{ id: 'm1', label: 'M 1', contextLimit: 1000 }];
const repeating: ModelInfo = { id: 'gemini-2.5-pro', label: 'gemini-2.5-pro', contextLimit: 1000 };
const known: readonly ModelInfo[] = [{ id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextLimit: 1000 }];

/** A provider that notes where a request would have gone, and knows one good key. */
function makeConnection(state: {
  key: string | undefined;
  baseUrl: string;
  rehearsals: 'start' | 'fail';
  provider?: ProviderName;
  isReady?: () => Promise<boolean>;
  loadPrices?: ModelConnectionParts['loadPrices'];
}) {
  const requests: string[] = [];
  let running = 0;
  const createProvider = ({ provider, apiKey, baseUrl }: Endpoint) => ({
    async *stream(): AsyncGenerator<ModelEvent> {
      const message = { role: 'model', parts: [] } as const;
      yield { type: 'end', end: { ok: true, message, finish: 'STOP', citations: [] } };
    },
    async listModels() {
      const name = provider();
      const key = await apiKey(name);
      requests.push(`${key}@${baseUrl(name)}`);
      if (key === 'bad') throw new ModelError('auth', () => 'The key is refused.', { retryable: false });
      return key === 'repeats' ? [...listed, repeating] : listed;
    },
  });
  const connection = new ModelConnection({
    log,
    createProvider,
    apiKey: async () => state.key,
    isReady:
      state.isReady ??
      (async () => state.key !== undefined || (state.provider === 'openai' && state.baseUrl !== '')),
    loadPrices: state.loadPrices ?? (async () => (_, models) => models),
    knownModels: name => (name === 'gemini' ? known : []),
    provider: () => state.provider ?? 'gemini',
    others: () => [],
    baseUrl: () => state.baseUrl,
    startRehearsal: async () => {
      if (state.rehearsals === 'fail') throw new Error('The port is taken.');
      running++;
      return { baseUrl: 'http://rehearsal', dispose: async () => void running-- };
    },
  });
  return { connection, requests, running: () => running, signal: new AbortController().signal };
}

test('without a key nothing can be sent, and a key that comes later is noticed', async () => {
  const state = { key: undefined as string | undefined, baseUrl: '', rehearsals: 'start' as const };
  const { connection } = makeConnection(state);
  const kinds: string[] = [];
  connection.onDidChange(() => kinds.push(connection.kind));
  await connection.refresh();
  expect(connection.kind).toBe('none');
  state.key = 'good';
  await connection.refresh();
  await connection.refresh();
  // The first change tells that models have prices now.
  expect(kinds).toEqual(['none', 'key']);
});

test('models have prices from the first look on, loaded once', async () => {
  let loads = 0;
  const price = { input: 1, output: 2, cached: 0.1 };
  const { connection } = makeConnection({
    key: undefined,
    baseUrl: '',
    rehearsals: 'start',
    loadPrices: async () => {
      loads++;
      return (_, models) => models.map(model => ({ ...model, price }));
    },
  });
  expect(connection.models).toEqual(known);
  await Promise.all([connection.refresh(), connection.refresh()]);
  await connection.refresh();
  expect(connection.models).toEqual(known.map(model => ({ ...model, price })));
  expect(loads).toBe(1);
});

test('prices that could not be loaded are loaded at the next need, and keep no model from being used', async () => {
  let loads = 0;
  const price = { input: 1, output: 2, cached: 0.1 };
  const { connection } = makeConnection({
    key: 'good',
    baseUrl: '',
    rehearsals: 'start',
    loadPrices: async () => {
      if (++loads === 1) throw new Error('The file of prices could not be read.');
      return (_, models) => models.map(model => ({ ...model, price }));
    },
  });
  await connection.refresh();
  expect(connection.kind).toBe('key');
  expect(connection.models.map(each => each.price)).toEqual([undefined]);
  await connection.refresh();
  expect(connection.models.map(each => each.price)).toEqual([price]);
  await connection.refresh();
  expect(loads).toBe(2);
});

test('a look that ends late does not undo what a later one found', async () => {
  const ends: ((isReady: boolean) => void)[] = [];
  const { connection } = makeConnection({
    key: undefined,
    baseUrl: '',
    rehearsals: 'start',
    isReady: () => new Promise<boolean>(resolve => void ends.push(resolve)),
  });
  const early = connection.refresh();
  const late = connection.refresh();
  ends[1]!(true);
  await late;
  ends[0]!(false);
  await early;
  expect(connection.kind).toBe('key');
});

test('a new key and a new address count from the next request on', async () => {
  const state = { key: 'k1', baseUrl: 'http://a', rehearsals: 'start' as const };
  const { connection, requests, signal } = makeConnection(state);
  await connection.provider.listModels(signal);
  state.key = 'k2';
  state.baseUrl = 'http://b';
  await connection.provider.listModels(signal);
  expect(requests).toEqual(['k1@http://a', 'k2@http://b']);
});

test('the key of the user never goes to the rehearsal, nor does the rehearsal outlive its end', async () => {
  const { connection, requests, running, signal } = makeConnection({
    key: 'secret',
    baseUrl: '',
    rehearsals: 'start',
  });
  await connection.refresh();
  await Promise.all([connection.startRehearsal(), connection.startRehearsal()]);
  expect([connection.kind, running()]).toEqual(['rehearsal', 1]);
  await connection.provider.listModels(signal);
  expect(requests).toEqual(['rehearsal@http://rehearsal']);
  await connection.endRehearsal();
  expect([connection.kind, running()]).toEqual(['key', 0]);
});

test('a rehearsal that did not start can be started again', async () => {
  const state: { key: undefined; baseUrl: string; rehearsals: 'start' | 'fail' } = {
    key: undefined,
    baseUrl: '',
    rehearsals: 'fail',
  };
  const { connection } = makeConnection(state);
  await expect(connection.startRehearsal()).rejects.toThrow('The port is taken.');
  expect(connection.kind).toBe('none');
  state.rehearsals = 'start';
  await connection.startRehearsal();
  expect(connection.kind).toBe('rehearsal');
});

test('a key is tried without becoming the one in use', async () => {
  const { connection, requests, signal } = makeConnection({ key: 'old', baseUrl: '', rehearsals: 'start' });
  await expect(connection.check('gemini', 'bad', signal)).rejects.toThrow('The key is refused.');
  await connection.provider.listModels(signal);
  expect(requests).toEqual(['bad@', 'old@']);
});

test('a known model keeps its name where the service only repeats its id', async () => {
  const { connection, signal } = makeConnection({ key: 'repeats', baseUrl: '', rehearsals: 'start' });
  const models = await connection.refreshModels(signal);
  expect(models.map(({ label }) => label)).toEqual(['M 1', 'Gemini 2.5 Pro']);
});

test('a list that changed is asked for again, and a provider without models is told', async () => {
  const state: Parameters<typeof makeConnection>[0] = {
    key: undefined,
    baseUrl: '',
    rehearsals: 'start',
    provider: 'vscode',
  };
  const { connection, requests, signal } = makeConnection(state);
  const kinds: string[] = [];
  connection.onDidChange(() => kinds.push(connection.kind));
  await connection.relist(signal);
  expect([connection.kind, requests.length]).toEqual(['none', 0]);
  state.key = 'good';
  await connection.relist(signal);
  expect([connection.kind, connection.modelsAreListed]).toEqual(['key', true]);
  await connection.relist(signal);
  expect(requests.length).toBe(2);
  state.key = undefined;
  await connection.relist(signal);
  expect([connection.kind, connection.models]).toEqual(['none', []]);
  expect(kinds.at(-1)).toBe('none');
});

test('why the models could not be listed is known until they are', async () => {
  const state = { key: 'bad', baseUrl: '', rehearsals: 'start' as const };
  const { connection, signal } = makeConnection(state);
  expect(connection.listProblem).toBeUndefined();
  await connection.refreshModels(signal);
  expect(connection.listProblem).toBe('The key is refused.');
  state.key = 'good';
  await connection.refreshModels(signal);
  expect(connection.listProblem).toBeUndefined();
});

test('a key that does not work is known while its provider is in use and until something is answered', async () => {
  const state: Parameters<typeof makeConnection>[0] = { key: 'bad', baseUrl: '', rehearsals: 'start' };
  const { connection, signal } = makeConnection(state);
  await connection.refresh();
  await connection.refreshModels(signal);
  expect(connection.keyProblem).toBe('The key is refused.');
  state.provider = 'anthropic';
  expect(connection.keyProblem).toBeUndefined();
  connection.reportKey('anthropic', undefined);
  state.provider = 'gemini';
  const answer = async () => {
    const request = { model: 'm1', system: '', messages: [], tools: [], signal };
    for await (const _ of connection.provider.stream(request));
  };
  await connection.startRehearsal();
  expect(connection.keyProblem).toBeUndefined();
  await answer();
  await connection.endRehearsal();
  expect(connection.keyProblem).toBe('The key is refused.');
  // The provider may have been out of reach only when the key was tried.
  await answer();
  expect(connection.keyProblem).toBeUndefined();
});

test('models can be picked before the provider was asked and when it cannot be', async () => {
  const state = { key: 'bad', baseUrl: '', rehearsals: 'start' as const };
  const { connection, signal } = makeConnection(state);
  expect(connection.models).toBe(known);
  expect(await connection.refreshModels(signal)).toBe(known);
  state.key = 'good';
  expect(await connection.refreshModels(signal)).toEqual(listed);
  expect(connection.modelsAreListed).toBe(true);
  await connection.startRehearsal();
  expect(await connection.refreshModels(signal)).toBe(known);
  await connection.endRehearsal();
  expect(connection.models).toEqual(listed);
});

test("a server of one's own needs no key, and its models go with it", async () => {
  const state: Parameters<typeof makeConnection>[0] = {
    key: undefined,
    baseUrl: '',
    rehearsals: 'start',
    provider: 'openai',
  };
  const { connection, signal } = makeConnection(state);
  await connection.refresh();
  expect([connection.kind, connection.models]).toEqual(['none', []]);
  state.baseUrl = 'http://mine/v1';
  await connection.refresh();
  expect(connection.kind).toBe('key');
  expect((await connection.refreshModels(signal)).length).toBeGreaterThan(0);
  expect(connection.modelsAreListed).toBe(true);
  state.baseUrl = 'http://other/v1';
  expect([connection.modelsAreListed, connection.models]).toEqual([false, []]);
  await connection.startRehearsal();
  expect([connection.name, connection.models.length > 0]).toEqual(['gemini', true]);
});
