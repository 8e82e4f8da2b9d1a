import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { abilitiesByName } from '../../../src/extension/models/anthropic/abilitiesByName.ts';
import type { BedrockConnection } from '../../../src/extension/models/bedrock/bedrockEndpoint.ts';
import { claudeNameOf } from '../../../src/extension/models/bedrock/bedrockModels.ts';
import type { Message } from '../../../src/protocol/events.ts';
import * as claude from '../../support/anthropicAnswers.ts';
import { bedrockAt, region, useAwsKeys } from '../../support/bedrockClient.ts';
import { bedrockRefusal, exception, startBedrockServer } from '../../support/bedrockServer.ts';
import { eachTest } from '../../support/eachTest.ts';
import { failed, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';

const model = 'eu.anthropic.claude-sonnet-4-6-v1:0';
const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'a/secret+of', sessionToken: 'a session' };
const profiles = [
  { id: 'global.anthropic.claude-opus-4-6-v1', name: 'Global Anthropic Claude Opus 4.6' },
  { id: model, name: 'EU Anthropic Claude Sonnet 4.6' },
  { id: 'eu.amazon.nova-pro-v1:0', name: 'EU Nova Pro' },
];
const server = eachTest(() =>
  startBedrockServer({
    region,
    keys,
    apiKey: 'ABSKQmVkcm9jaw==',
    model,
    like: 'claude-sonnet-4-6',
    profiles,
  }),
);
let restore: () => void;

beforeEach(async () => {
  restore = useAwsKeys(keys);
});

afterEach(async () => {
  restore();
});

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

interface Asked {
  readonly model?: string;
  readonly connection?: Partial<BedrockConnection>;
}

function ask(messages: readonly Message[], { model: asked = model, connection }: Asked = {}) {
  const provider = bedrockAt(server.baseUrl, connection);
  return notify(provider.stream(requestOf(messages, { model: asked, tools: [scan], effort: 'high' })));
}

const hi = [user('Hi')];

test('a Claude model thinks, calls, and gets its thoughts back, in frames of Amazon, by signed requests', async () => {
  server.script(
    [claude.thought('I look.'), claude.call('look', {}, 'toolu_1')],
    [
      { kind: 'tornText', text: 'Gesehen: Grüße, 羊.' },
      claude.finish('end_turn', { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 2 }),
    ],
  );
  const { message } = succeeded((await ask(hi)).end);
  const result = { kind: 'result', id: 'toolu_1', name: 'look', ok: true, text: 'sheep' } as const;
  const second = succeeded((await ask([...hi, message, user(result)])).end);
  expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  expect(second.usage).toMatchObject({ prompt: 10, cached: 3, output: 2 });
  expect(second.message.parts).toMatchObject([{ kind: 'text', text: 'Gesehen: Grüße, 羊.' }]);
  const { body, headers } = server.requests.at(-1)!;
  expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
  expect(JSON.stringify(body.messages)).toContain(claude.signatureOf('I look.'));
  expect([headers['x-api-key'], headers['anthropic-version']]).toEqual([undefined, undefined]);
});

test("a key of Bedrock's own needs no AWS credentials, and the list names Claude's models alone", async () => {
  restore();
  restore = useAwsKeys(undefined);
  const connection = { apiKey: async () => 'ABSKQmVkcm9jaw==' };
  server.script([claude.text('Here.')]);
  succeeded((await ask(hi, { connection })).end);
  const listed = await bedrockAt(server.baseUrl, connection).listModels(AbortSignal.timeout(60_000));
  expect(listed.map(({ id, label }) => [id, label])).toEqual([
    [profiles[0]!.id, profiles[0]!.name],
    [profiles[1]!.id, profiles[1]!.name],
  ]);
  expect(listed[0]).toMatchObject({ contextLimit: 1_000_000, efforts: ['low', 'medium', 'high', 'max'] });
});

test('a user who may not list the models is offered the known ones', async () => {
  const closed = await startBedrockServer({ region, keys, model, like: 'claude-sonnet-4-6' });
  onTestFinished(() => closed.dispose());
  const listed = await bedrockAt(closed.baseUrl).listModels(AbortSignal.timeout(60_000));
  expect(listed.map(({ id }) => id)).toContain('global.anthropic.claude-sonnet-4-6');
});

test.each([
  [
    'no credentials',
    async () => {
      restore();
      restore = useAwsKeys(undefined);
      return ask(hi);
    },
    'auth',
    'No AWS credentials were found. Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.',
  ],
  [
    'credentials that are refused',
    async () => {
      restore();
      restore = useAwsKeys({ ...keys, secretAccessKey: 'another' });
      return ask(hi);
    },
    'auth',
    'Amazon Bedrock rejected the AWS credentials or the API key. Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.',
  ],
  [
    'no region',
    () => ask(hi, { connection: { region: () => '' } }),
    'badRequest',
    'No AWS region is set. Set folio.bedrock.region to one that runs the model, such as us-east-1.',
  ],
  [
    'a region that is none',
    () => ask(hi, { connection: { region: () => 'eu-central-1.evil.example' } }),
    'badRequest',
    'The AWS region is not valid. Correct folio.bedrock.region.',
  ],
  [
    'a model that runs nowhere automatically',
    () => {
      server.script(
        bedrockRefusal(
          400,
          'Invocation of model ID x with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
        ),
      );
      return ask(hi);
    },
    'notFound',
    `Amazon Bedrock needs a region for "${model}". Choose an id with a region, such as one that begins with "global." or "eu.", with "Folio: Select Model".`,
  ],
  [
    'a model that is not there',
    () => ask(hi, { model: 'eu.anthropic.claude-nowhere' }),
    'notFound',
    'Amazon Bedrock has no model "eu.anthropic.claude-nowhere". Choose another model with "Folio: Select Model".',
  ],
  [
    'a role that may not ask',
    () => {
      const said = 'User: ann is not authorized to perform: bedrock:InvokeModelWithResponseStream';
      server.script({ kind: 'json', status: 403, body: { Message: said } });
      return ask(hi);
    },
    'forbidden',
    'Amazon Bedrock does not allow this (User: ann is not authorized to perform: bedrock:InvokeModelWithResponseStream). Check that the account has access to the model, and what your role may do.',
  ],
  [
    'a conversation that is too long',
    () => {
      server.script(bedrockRefusal(400, 'Input is too long for requested model.'));
      return ask(hi);
    },
    'tooLarge',
    'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".',
  ],
  [
    'too many requests in the middle of an answer',
    () => {
      server.script([claude.text('Half'), exception('throttlingException', 'Too many requests') as never]);
      return ask(hi);
    },
    'rateLimited',
    'Amazon Bedrock is getting too many requests. Retry later.',
  ],
] as const)('%s is told in one sentence', async (_name, work, kind, message) => {
  expect(failed((await work()).end)).toMatchObject({ kind, message });
});

test('a frame that was changed on its way is an answer that cannot be read', async () => {
  const frame = exception('throttlingException', 'Too many requests') as { readonly bytes: Uint8Array };
  const broken = Uint8Array.from(frame.bytes, (byte, at) => (at === 40 ? byte ^ 1 : byte));
  server.script([claude.text('Half'), claude.bytes(broken)]);
  expect(failed((await ask(hi)).end)).toMatchObject({ kind: 'invalidStream', retryable: true });
});

test.each([
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022', false],
  ['global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6', true],
  ['anthropic.claude-opus-4-7', 'claude-opus-4-7', true],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5-20251001', false],
  [
    'arn:aws:bedrock:eu-west-1:123:inference-profile/eu.anthropic.claude-sonnet-4-6-v1:0',
    'claude-sonnet-4-6',
    true,
  ],
  ['eu.amazon.nova-pro-v1:0', undefined, true],
])('%s is known by its name', (id, name, adaptive) => {
  expect(claudeNameOf(id)).toBe(name);
  expect(abilitiesByName(name ?? id).thinking.adaptive).toBe(adaptive);
});
