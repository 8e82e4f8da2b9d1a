import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelError } from '../../../src/extension/core/model.ts';
import { eachTest } from '../../support/eachTest.ts';
import { call, permissionDenied, text } from '../../support/geminiAnswers.ts';
import { failed, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { findDeadAddress, type GeminiServer, startGeminiServer } from '../../support/geminiServer.ts';
import { startGoogleSignIn } from '../../support/googleSignIn.ts';
import { place, useCredentials, vertexAt } from '../../support/vertexClient.ts';

const token = 'ya29.a-token-of-the-test';
const login = '"gcloud auth application-default login"';
const signIn = eachTest(() => startGoogleSignIn(token));
let server: GeminiServer;
let restore = () => {};

beforeEach(async () => {
  server = await startGeminiServer({ vertex: { ...place, token } });
});

afterEach(async () => {
  restore();
  await server.dispose();
});

/** Replaces what was used before. */
function use(given: Parameters<typeof useCredentials>[0]): void {
  restore();
  restore = useCredentials(given);
}

async function fail(provider = vertexAt(server.baseUrl)): Promise<ModelError> {
  return failed((await notify(provider.stream(requestOf([user('Hi')])))).end);
}

test.each([
  ['the file that the environment names', () => ({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file })],
  ['the file that gcloud keeps', () => ({ CLOUDSDK_CONFIG: signIn.configFolder })],
  [
    'the metadata server of a machine at Google',
    () => ({
      CLOUDSDK_CONFIG: signIn.emptyFolder,
      GCE_METADATA_HOST: signIn.host,
      METADATA_SERVER_DETECTION: 'assume-present',
    }),
  ],
])('credentials are found in %s', async (_place, environment) => {
  use(environment());
  server.script([text('Hello.')]);
  const { end } = await notify(vertexAt(server.baseUrl).stream(requestOf([user('Hi')])));
  expect(succeeded(end).message.parts).toEqual([{ kind: 'text', text: 'Hello.' }]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

test('a token serves for many requests, and one that runs out is renewed', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  const lasting = vertexAt(server.baseUrl);
  for (let round = 0; round < 3; round++) {
    server.script([text('ok')]);
    succeeded((await notify(lasting.stream(requestOf([user('Hi')])))).end);
  }
  expect(signIn.asked()).toBe(1);
  signIn.answerWith({ kind: 'token', token, seconds: 1 });
  const short = vertexAt(server.baseUrl);
  for (let round = 0; round < 2; round++) {
    server.script([text('ok')]);
    succeeded((await notify(short.stream(requestOf([user('Hi')])))).end);
  }
  expect(signIn.asked()).toBe(3);
});

test('after a refusal the next request brings a token of its own, so that signing in again helps at once', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  const provider = vertexAt(server.baseUrl);
  signIn.answerWith({ kind: 'token', token: 'revoked-token' });
  const error = await fail(provider);
  expect(error).toMatchObject({ kind: 'auth', retryable: false, status: 401 });
  expect(error.message).toContain(login);
  expect(inspect(error, { depth: 9 })).not.toContain('revoked-token');
  signIn.answerWith({ kind: 'token', token });
  server.script([text('ok')]);
  succeeded((await notify(provider.stream(requestOf([user('Hi')])))).end);
});

test('calls of third-generation models go back with their signatures, as at Gemini', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  const provider = vertexAt(server.baseUrl);
  const model = 'gemini-3-pro-preview';
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
  server.script([call('look', {}, { signature: 'c2ln' })], [text('Done.')]);
  const first = await notify(provider.stream(requestOf([user('Hi')], { model, tools })));
  const { message } = succeeded(first.end);
  const [made] = message.parts;
  if (made?.kind !== 'call') throw new Error('There was no call.');
  const result = { kind: 'result', id: made.id, name: 'look', ok: true, text: 'seen' } as const;
  const history = [user('Hi'), message, user(result)];
  const second = await notify(provider.stream(requestOf(history, { model, tools })));
  expect(second.text).toBe('Done.');
  expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  expect(server.requests[1]?.body.contents?.[1]?.parts?.[0]?.thoughtSignature).toBe('c2ln');
});

test('without credentials it is said how to get some, and nothing is sent', async () => {
  use({ CLOUDSDK_CONFIG: signIn.emptyFolder });
  const error = await fail();
  expect(error).toMatchObject({ kind: 'auth', retryable: false });
  expect(error.message).toBe(
    'No Google credentials were found. Run "gcloud auth application-default login" in a terminal, then retry.',
  );
  expect(server.requests).toEqual([]);
});

test('a file of credentials that is not there is named by its variable', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: `${signIn.emptyFolder}/nothing.json` });
  const error = await fail();
  expect(error.kind).toBe('auth');
  expect(error.message).toContain('GOOGLE_APPLICATION_CREDENTIALS');
});

test.each([
  [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'auth', false],
  [401, { error: 'invalid_client' }, 'auth', false],
  [503, { error: 'backend' }, 'overloaded', true],
] as const)(
  'a sign-in server that answers with status %i is told in a sentence',
  async (status, body, kind, retryable) => {
    use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
    signIn.answerWith({ kind: 'refusal', status, body });
    const error = await fail();
    expect(error).toMatchObject({ kind, retryable });
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    if (kind === 'auth') expect(error.message).toContain(login);
    // Neither what was exchanged nor where it lies.
    expect(inspect(error, { depth: 9 })).not.toMatch(/token-of-another-sign-in|folio-sign-in-/);
    expect(server.requests).toEqual([]);
  },
);

test('a sign-in server that cannot be reached is a problem of the network', async () => {
  const gone = new URL(await findDeadAddress());
  use({
    CLOUDSDK_CONFIG: signIn.emptyFolder,
    GCE_METADATA_HOST: gone.host,
    METADATA_SERVER_DETECTION: 'assume-present',
  });
  expect(await fail()).toMatchObject({ kind: 'network' });
});

test.each([
  ['', place.location, 'Set folio.vertex.project'],
  ['../other', place.location, 'Correct folio.vertex.project'],
  ['a-project', 'evil.example/x?', 'Correct folio.vertex.location'],
])('project %j and location %j are not sent anywhere', async (project, location, remedy) => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  const error = await fail(vertexAt(server.baseUrl, { project: () => project, location: () => location }));
  expect(error).toMatchObject({ kind: 'badRequest', retryable: false });
  expect(error.message).toContain(remedy);
  expect([signIn.asked(), server.requests.length]).toEqual([0, 0]);
});

test('the models are those of the publisher that work as an agent, with names where they are known', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  await server.dispose();
  const models = ['gemini-2.5-pro', 'gemini-9-new', 'imagen-4', 'gemini-embedding-001', 'bert-base'];
  server = await startGeminiServer({ vertex: { ...place, token }, models });
  const listed = await vertexAt(server.baseUrl).listModels(new AbortController().signal);
  expect(listed).toEqual([
    {
      id: 'gemini-2.5-pro',
      label: 'Gemini 2.5 Pro',
      contextLimit: 1_048_576,
      efforts: ['low', 'medium', 'high', 'max'],
    },
    { id: 'gemini-9-new', label: 'gemini-9-new', contextLimit: 1_048_576 },
  ]);
  expect(server.requests[0]?.headers['x-goog-user-project']).toBe(place.project);
});

test('who may not list models is offered the known ones', async () => {
  use({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  await server.dispose();
  server = await startGeminiServer({ vertex: { ...place, token, list: permissionDenied } });
  const listed = await vertexAt(server.baseUrl).listModels(new AbortController().signal);
  expect(listed.map(({ id }) => id)).toContain('gemini-2.5-pro');
});
