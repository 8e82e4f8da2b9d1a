import { afterEach, beforeEach, expect, test } from 'vitest';
import { abilitiesByName } from '../../../src/extension/models/anthropic/abilitiesByName.ts';
import type { Message } from '../../../src/protocol/events.ts';
import * as claude from '../../support/anthropicAnswers.ts';
import { startClaudeOnVertex } from '../../support/anthropicServer.ts';
import { eachTest } from '../../support/eachTest.ts';
import { failed, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import { startGoogleSignIn } from '../../support/googleSignIn.ts';
import { place, useCredentials, vertexAt } from '../../support/vertexClient.ts';

const model = 'claude-sonnet-4-6';
const token = 'ya29.of-the-test';
const server = eachTest(() => startClaudeOnVertex({ ...place, token }, model));
const signIn = eachTest(() => startGoogleSignIn(token));
let restore: () => void;

beforeEach(async () => {
  restore = useCredentials({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
});

afterEach(async () => {
  restore();
});

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

function ask(messages: readonly Message[], asked = model) {
  const provider = vertexAt(server.baseUrl.replace(/\/v1$/, ''));
  return notify(provider.stream(requestOf(messages, { model: asked, tools: [scan], effort: 'high' })));
}

test('a Claude model thinks, calls, and gets its thoughts back, let in by the credentials of Google', async () => {
  server.script(
    [claude.thought('I look.'), claude.call('look', {}, 'toolu_1')],
    [
      claude.text('Seen.'),
      claude.finish('end_turn', { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 2 }),
    ],
  );
  const first = await ask([user('Hi')]);
  const { message } = succeeded(first.end);
  const result = { kind: 'result', id: 'toolu_1', name: 'look', ok: true, text: 'sheep' } as const;
  const { usage } = succeeded((await ask([user('Hi'), message, user(result)])).end);
  expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  expect(usage).toMatchObject({ prompt: 10, cached: 3, output: 2 });
  const { body, headers } = server.requests.at(-1)!;
  expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
  expect(JSON.stringify(body.messages)).toContain(claude.signatureOf('I look.'));
  expect([headers['x-api-key'], headers['anthropic-version']]).toEqual([undefined, undefined]);
});

test('credentials that are refused, a model that is not there, a server that is busy or away are told as they are', async () => {
  expect(failed((await ask([user('Hi')], 'claude-nowhere')).end)).toMatchObject({ kind: 'notFound' });
  server.script(claude.refusal(529, 'overloaded_error', 'Overloaded'));
  expect(failed((await ask([user('Hi')])).end)).toMatchObject({ kind: 'overloaded', retryable: true });
  const away = vertexAt(await findDeadAddress());
  expect(failed((await notify(away.stream(requestOf([user('Hi')], { model })))).end)).toMatchObject({
    kind: 'network',
  });
  signIn.answerWith({ kind: 'token', token: 'ya29.another' });
  const refused = failed((await ask([user('Hi')])).end);
  expect(refused.message).toBe(
    'Vertex AI rejected the Google credentials. Run "gcloud auth application-default login" in a terminal, then retry.',
  );
});

test.each([
  ['claude-haiku-4-5@20251001', { adaptive: false, byBudget: true }],
  ['claude-sonnet-4@20250514', { adaptive: false, byBudget: true }],
  ['claude-opus-4-1', { adaptive: false, byBudget: true }],
  ['claude-sonnet-4-6', { adaptive: true, byBudget: false }],
  ['claude-opus-5-5@default', { adaptive: true, byBudget: false }],
  ['claude-3-5-haiku@20241022', { adaptive: false, byBudget: false }],
])('%s is known by its name', (id, thinking) => {
  expect(abilitiesByName(id).thinking).toMatchObject(thinking);
});
