/* Each way to a model, from the press to the first answer's provider; the servers are real, over real sockets. */

import { expect, onTestFinished, test } from 'vitest';
import type { LanguageModel } from '../../../src/extension/vscode/languageModels/languageModels.ts';
import { useAwsKeys } from '../../support/bedrockClient.ts';
import { startBedrockServer } from '../../support/bedrockServer.ts';
import { type ConnectWorldOptions, makeConnectWorld } from '../../support/connectWorld.ts';
import { findDeadAddress, startGeminiServer } from '../../support/geminiServer.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../../support/openaiServer.ts';
import { useCredentials } from '../../support/vertexClient.ts';

const geminiKey = `AIza${'Sy'.repeat(17)}x`;
const openAiKey = `sk-proj-${'a1'.repeat(20)}`;

async function startChat(options?: OpenAiServerOptions) {
  const server = await startOpenAiServer(options);
  onTestFinished(() => server.dispose());
  return server;
}

async function startGemini(apiKey?: string) {
  const server = await startGeminiServer({ apiKey });
  onTestFinished(() => server.dispose());
  return server;
}

function at(address: string, name = 'Ollama') {
  return {
    name,
    port: Number(new URL(address).port),
    getModel: () => 'Get one in a terminal with "ollama pull qwen3", then search again.',
  };
}

function make(options?: ConnectWorldOptions) {
  const world = makeConnectWorld(options);
  onTestFinished(() => world.flow.dispose());
  return world;
}

const twoModels = { object: 'list', data: [{ id: 'qwen3:14b' }, { id: 'gemma3:4b' }] };

test('nothing is sent to any port before the press, and one press lists what a server has', async () => {
  const server = await startChat({ models: twoModels });
  const { flow, step, steps } = make({ places: [at(server.baseUrl), at(await findDeadAddress(), 'vLLM')] });
  await flow.scan();
  expect(server.lists).toHaveLength(0);
  await flow.start('server');
  expect(steps[0]).toMatchObject({ way: 'server', status: 'working' });
  const { sources } = step('choosing');
  expect(sources).toHaveLength(1);
  expect(sources[0]).toMatchObject({ name: 'Ollama', place: new URL(server.baseUrl).host });
  expect(sources[0]?.models.map(({ label }) => label)).toEqual(['qwen3:14b', 'gemma3:4b']);
  expect(server.requests).toHaveLength(0);
});

test('the model that is pressed is tried with a tool, and then all settings of the choice are the user’s', async () => {
  const server = await startChat({ models: twoModels });
  server.script([chat.text('yes'), chat.hang]);
  const { flow, step, saved, order, keys, connected, connection, keptAddress } = make({
    places: [at(server.baseUrl)],
    // Lies in the environment for another service.
    keys: { openai: openAiKey },
  });
  await flow.start('server');
  await flow.choose(step('choosing').sources[0]!.models[1]!.id);
  expect(connected()).toBe(1);
  expect(flow.connecting.step).toBeUndefined();
  expect(saved).toEqual({ model: 'gemma3:4b', 'openai.baseUrl': server.baseUrl, provider: 'openai' });
  expect(order.at(-1)).toBe('provider');
  expect(connection.kind).toBe('key');
  const [trial] = server.requests;
  expect(trial?.body.model).toBe('gemma3:4b');
  expect(trial?.body.tools).toHaveLength(1);
  expect(trial?.headers.authorization).toBeUndefined();
  expect(keptAddress()).toBe(server.baseUrl);
  expect(keys.openai).toBe(openAiKey);
});

test('a model without tools is named where it was pressed, and another one can be chosen', async () => {
  const server = await startChat({ models: twoModels });
  server.script(chat.refusal(400, 'registry.ollama.ai/library/gemma3:4b does not support tools'), [
    chat.call('look', { path: 'a' }),
  ]);
  const { flow, step, saved, connected } = make({ places: [at(server.baseUrl)] });
  await flow.start('server');
  const [good, bad] = step('choosing').sources[0]!.models;
  await flow.choose(bad!.id);
  expect(step('choosing').refused).toEqual({
    id: bad!.id,
    problem: 'The model "gemma3:4b" cannot call tools, which Folio needs. Choose another model.',
  });
  expect(saved).toEqual({});
  await flow.choose(good!.id);
  expect([connected(), saved.model]).toEqual([1, 'qwen3:14b']);
});

test('a server that dies between the list and the press is told with what to do', async () => {
  const server = await startChat();
  const { flow, step, saved } = make({ places: [at(server.baseUrl)] });
  await flow.start('server');
  const { id } = step('choosing').sources[0]!.models[0]!;
  await server.dispose();
  await flow.choose(id);
  expect(step('choosing').refused?.problem).toBe(
    `The server ${new URL(server.baseUrl).host} is no longer running. Start it again, then choose "qwen3" again.`,
  );
  expect(saved).toEqual({});
});

test('no server, one without any model, and what is none are each one sentence with the next step', async () => {
  const dead = make({ places: [at(await findDeadAddress()), at(await findDeadAddress())] });
  await dead.flow.start('server');
  expect(dead.step('stuck').problem).toMatch(
    /^No model server found on the ports \d+ and \d+ of this machine\. Start/,
  );
  expect(dead.step('stuck').actions).toEqual(['again', 'address']);

  const away = make({
    places: [at(await findDeadAddress()), at(await findDeadAddress())],
    remoteName: 'ssh-remote',
  });
  await away.flow.start('server');
  expect(away.step('stuck').problem).toMatch(
    /of the machine behind SSH\. Folio runs there, with your files, and cannot reach servers on your own computer\./,
  );

  const server = await startChat({ models: { data: [] } });
  const empty = make({ places: [at(server.baseUrl), at(await findDeadAddress())] });
  await empty.flow.start('server');
  const { host } = new URL(server.baseUrl);
  expect(empty.step('stuck').problem).toBe(
    `Ollama runs at ${host}, but it has no model. Get one in a terminal with "ollama pull qwen3", then search again.`,
  );
});

test('a server that wants a key gets the one that is typed, and only there', async () => {
  const server = await startChat({ apiKey: 'right', models: twoModels });
  server.script([chat.text('yes')]);
  const { flow, step, user, keys, saved, keptAddress } = make({ places: [at(server.baseUrl, 'vLLM')] });
  await flow.start('server');
  expect(step('stuck').problem).toContain('requires a key');
  expect(step('stuck').actions).toEqual(['key', 'again', 'address']);
  user.keys.push('wrong', 'right');
  await flow.act('key');
  expect(user.reported).toEqual([
    `The server ${new URL(server.baseUrl).host} rejected this key. Copy the full key, and try again.`,
  ]);
  await flow.choose(step('choosing').sources[0]!.models[0]!.id);
  expect(keys.openai).toBe('right');
  expect(keptAddress()).toBeUndefined();
  expect(saved.provider).toBe('openai');
});

test('an address that is typed is asked, and what is wrong with it is said there', async () => {
  const server = await startChat({ apiKey: 'right' });
  const { flow, step, user } = make({ places: [at(await findDeadAddress())] });
  await flow.start('server');
  const dead = await findDeadAddress();
  user.texts.push(openAiKey, dead);
  await flow.act('address');
  expect(user.reported[0]).toContain('This is a key, not an address.');
  expect(step('stuck').problem).toBe(
    `No response from ${new URL(dead).host}. Start the server, or correct the address.`,
  );
  user.texts.push(new URL(server.baseUrl).origin);
  user.keys.push('right');
  await flow.act('address');
  expect(step('choosing').sources[0]?.models).toHaveLength(1);
});

test('a Gemini key is tried before it is kept, and a wrong one is said where the press was', async () => {
  const server = await startGemini('right');
  const { flow, step, user, keys, saved, connected } = make({ geminiUrl: server.baseUrl });
  user.keys.push('wrong');
  await flow.start('gemini');
  expect(step('stuck').problem).toBe(
    'Gemini rejected this API key. Copy the full key from aistudio.google.com/apikey, and try again.',
  );
  expect([keys.gemini, connected()]).toEqual([undefined, 0]);
  user.keys.push('wrong', 'right');
  await flow.act('key');
  expect([keys.gemini, connected()]).toEqual(['right', 1]);
  expect(saved).toEqual({ model: 'gemini-2.5-pro', provider: 'gemini' });
});

test('leaving the field without a key leads back to the card, and a key can be kept untried', async () => {
  const { flow, user, keys, connected, connection } = make({ geminiUrl: await findDeadAddress() });
  await flow.start('gemini');
  expect(flow.connecting.step).toBeUndefined();
  user.keys.push('mine', 'mine');
  user.savesAnyway = true;
  await flow.start('gemini');
  expect(user.reported[0]).toContain('Cannot reach');
  expect([keys.gemini, connected()]).toEqual(['mine', 1]);
  expect(connection.keyProblem).toBe(user.reported[0]);
});

test('a worse key that is kept over a good one is known not to work, until a good one is kept', async () => {
  const server = await startGemini('right');
  const { flow, user, keys, connection } = make({ geminiUrl: server.baseUrl });
  const connectWith = async (...typed: readonly string[]) => {
    user.savesAnyway = true;
    user.keys.push(...typed);
    await flow.start('gemini');
    return [keys.gemini, connection.keyProblem];
  };
  expect(await connectWith('right')).toEqual(['right', undefined]);
  const [kept, problem] = await connectWith('worse');
  expect(kept).toBe('worse');
  expect(problem).toContain('Gemini rejected this API key.');
  expect(await connectWith('right')).toEqual(['right', undefined]);
});

test('after another server the model of the settings is one that Gemini has', async () => {
  const server = await startGemini();
  const world = make({ geminiUrl: server.baseUrl, keys: { gemini: 'stored' } });
  Object.assign(world.saved, {
    provider: 'openai',
    model: 'qwen3:14b',
    'openai.baseUrl': 'http://127.0.0.1:9/v1',
  });
  await world.flow.start('gemini');
  expect(world.connected()).toBe(1);
  expect(world.saved).toMatchObject({ provider: 'gemini', model: 'gemini-2.5-pro' });
});

test('another key for the same provider leaves the model of the session, unless the provider lacks it', async () => {
  const server = await startGemini();
  const connect = async (model: string, provider?: 'openai') => {
    const world = make({ geminiUrl: server.baseUrl, model });
    Object.assign(world.saved, { provider });
    world.user.keys.push(geminiKey);
    await world.flow.start('gemini');
    expect(world.connected()).toBe(1);
    return world.model();
  };
  expect(await connect('gemini-2.5-flash')).toBe('gemini-2.5-flash');
  expect(await connect('auto')).toBe('auto');
  expect(await connect('gemini-0.9-gone')).toBe('gemini-2.5-pro');
  expect(await connect('gemini-2.5-flash', 'openai')).toBe('gemini-2.5-pro');
});

test('a key in the field of another owner is said, sent nowhere and used where it belongs', async () => {
  const gemini = await startGemini();
  const server = await startChat({ apiKey: openAiKey });
  const { flow, user, step, keys } = make({ geminiUrl: gemini.baseUrl, places: [at(server.baseUrl)] });
  user.keys.push(openAiKey);
  user.texts.push(server.baseUrl);
  await flow.start('gemini');
  await expect.poll(() => flow.connecting.step?.status).toBe('choosing');
  expect(user.reported[0]).toContain('OpenAI-style key (sk-…)');
  expect(gemini.requests).toHaveLength(0);
  expect(step('choosing').way).toBe('server');

  user.keys.push(geminiKey);
  await flow.start('server');
  await flow.act('key');
  await expect.poll(() => keys.gemini).toBe(geminiKey);
  expect(server.lists.map(headers => headers.authorization)).not.toContain(`Bearer ${geminiKey}`);
});

test('Vertex AI says in order what is missing, and what Google answers', async () => {
  onTestFinished(useCredentials({}));
  const none = make();
  await none.flow.scan();
  expect(none.flow.connecting.known).toMatchObject({ vertexProject: '', hasGoogleCredentials: false });
  await none.flow.start('vertex');
  expect(none.step('stuck')).toMatchObject({ actions: ['project'] });
  none.user.texts.push(geminiKey, 'a-project');
  await none.flow.act('project');
  expect(none.user.reported[0]).toContain('does not use keys');
  expect(none.saved).toEqual({ 'vertex.project': 'a-project' });
  expect(none.step('stuck').problem).toContain('"gcloud auth application-default login"');
  await none.flow.act('signIn');
  expect(none.user.terminals).toEqual(['gcloud auth application-default login']);
  expect(none.step('stuck').actions).toContain('again');

  const refused = make({ hasCredentials: true });
  refused.user.texts.push('a-project');
  await refused.flow.start('vertex');
  expect(refused.step('stuck').problem).toContain('No Google credentials were found');
  expect(refused.saved.provider).toBeUndefined();
});

test('Amazon Bedrock says in order what is missing, and what Amazon answers', async () => {
  onTestFinished(useAwsKeys(undefined));
  const none = make();
  await none.flow.scan();
  expect(none.flow.connecting.known).toMatchObject({ awsRegion: '', hasAwsCredentials: false });
  none.user.texts.push('Frankfurt', 'eu-central-1');
  await none.flow.start('bedrock');
  expect(none.user.reported[0]).toContain('Type a region as AWS writes it');
  expect(none.saved).toEqual({ 'bedrock.region': 'eu-central-1' });
  expect(none.step('stuck').problem).toContain('No AWS credentials were found on this machine');
  await none.flow.act('signIn');
  expect(none.user.terminals).toEqual(['aws sso login']);
  expect(none.step('stuck').actions).toContain('again');

  const refused = make({ hasAwsCredentials: true });
  refused.user.texts.push('eu-central-1');
  await refused.flow.start('bedrock');
  expect(refused.step('stuck').problem).toContain('No AWS credentials were found');
  expect(refused.saved.provider).toBeUndefined();

  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret' };
  const server = await startBedrockServer({
    region: 'eu-central-1',
    keys,
    model: 'eu.anthropic.claude-sonnet-4-6',
    like: 'claude-sonnet-4-6',
    profiles: [{ id: 'eu.anthropic.claude-sonnet-4-6', name: 'EU Claude Sonnet 4.6' }],
  });
  onTestFinished(() => server.dispose());
  onTestFinished(useAwsKeys(keys));
  const letIn = make({ hasAwsCredentials: true, bedrockUrl: server.baseUrl.replace(/\/v1$/, '') });
  letIn.user.texts.push('eu-central-1');
  await letIn.flow.start('bedrock');
  expect(letIn.connected()).toBe(1);
  expect(letIn.saved).toMatchObject({ provider: 'bedrock', model: 'eu.anthropic.claude-sonnet-4-6' });
});

test('models of VS Code are counted without starting anything that offers none, and chosen by a press', async () => {
  const models = [offered('fast', false), offered('smart', true)];
  const closed = make({ models, mayOffer: false });
  await closed.flow.scan();
  expect(closed.flow.connecting.known.vscodeModels).toBe(0);
  const { flow, step, saved, connected } = make({ models });
  await flow.scan();
  expect(flow.connecting.known.vscodeModels).toBe(2);
  await flow.start('vscode');
  await flow.choose('probe/fast');
  expect(step('choosing').refused?.problem).toContain('The model "fast (probe)" cannot call tools');
  await flow.choose('probe/smart');
  expect([connected(), saved]).toEqual([1, { model: 'probe/smart', provider: 'vscode' }]);
  const none = make();
  await none.flow.start('vscode');
  expect(none.step('stuck').actions).toEqual(['again', 'extensions']);
});

test('a setting of the workspace that counts before the choice is named', async () => {
  const server = await startChat();
  server.script([chat.text('yes')]);
  const { flow, step, connected } = make({ places: [at(server.baseUrl)], workspace: { model: 'theirs' } });
  await flow.start('server');
  await flow.choose(step('choosing').sources[0]!.models[0]!.id);
  expect(step('choosing').refused?.problem).toContain('The workspace setting folio.model overrides your own');
  expect(connected()).toBe(0);
});

test('what is stopped leaves nothing behind, and the next press wins over one that still runs', async () => {
  const server = await startChat({ models: twoModels });
  server.script([chat.hang], [chat.text('yes')]);
  const { flow, step, saved, connected } = make({ places: [at(server.baseUrl)] });
  await flow.start('server');
  const [first, second] = step('choosing').sources[0]!.models;
  const hanging = flow.choose(first!.id);
  await expect.poll(() => server.requests.length).toBe(1);
  expect(step('choosing').trying).toBe(first!.id);
  flow.stop();
  expect(step('choosing').trying).toBeUndefined();
  await hanging;
  await expect.poll(() => server.requests[0]?.signal.aborted).toBe(true);
  await flow.choose(second!.id);
  expect([connected(), saved.model]).toEqual([1, 'gemma3:4b']);
});

test('the rehearsal is one press', async () => {
  const { flow, connection, connected } = make();
  await flow.start('rehearsal');
  expect([connection.kind, connected()]).toEqual(['rehearsal', 1]);
});

function offered(id: string, callsTools: boolean): LanguageModel {
  return {
    vendor: 'probe',
    id,
    name: id,
    maxInputTokens: 8000,
    callsTools,
    seesPictures: false,
    send: () => {
      throw new Error('Nothing is sent to find out what is offered.');
    },
    countTokens: async () => 1,
  };
}
