/*
 * Wrong input of users, and network errors, for each wire: the service's answer, and Folio's expected message.
 */

import { anthropicAt } from './anthropicClient.ts';
import { type FaultyAnswer, respond } from './faultyServer.ts';
import { geminiAt } from './geminiClient.ts';
import { openAiAt } from './openaiClient.ts';
import { responsesAt } from './responsesClient.ts';

export const badInputWires = {
  gemini: { at: geminiAt, setting: 'folio.baseUrl' },
  anthropic: { at: anthropicAt, setting: 'folio.anthropic.baseUrl' },
  openai: { at: openAiAt, setting: 'folio.openai.baseUrl' },
  'openai-responses': { at: responsesAt, setting: 'folio.openaiResponses.baseUrl' },
} as const;
export type WireName = keyof typeof badInputWires;
export const wireNames = Object.keys(badInputWires) as readonly WireName[];

export interface BadInput {
  readonly what: string;
  readonly answer: FaultyAnswer;
  /** Path after the origin. Absent: the usual one of the wire. */
  readonly path?: string;
  readonly key?: string;
  readonly on?: readonly WireName[];
  readonly kind: string;
  readonly says: RegExp;
}

const page = '<!doctype html><title>Sign in</title><p>Welcome to the hotel.</p>';
const html = (status: number) => respond(status, { 'content-type': 'text/html; charset=utf-8' }, page);
export const loginPage = html(200);
const plain = (status: number, text: string) => respond(status, { 'content-type': 'text/plain' }, text);
const json = (status: number, body: object) =>
  respond(status, { 'content-type': 'application/json' }, JSON.stringify(body));
const chatError = (status: number, message: string, code: string | number | null = null) =>
  json(status, { error: { message, type: 'invalid_request_error', code } });
const googleError = (code: number, message: string, reason?: string) =>
  json(code, { error: { code, message, status: 'X', details: reason ? [{ reason }] : [] } });

const anthropicKey = `sk-ant-api03-${'a1'.repeat(20)}`;
const openaiKey = `sk-proj-${'b2'.repeat(20)}`;
const geminiKey = `AIzaSy${'c3'.repeat(16)}`;
const oldPlace: readonly WireName[] = ['openai', 'openai-responses'];
const others: readonly WireName[] = ['anthropic', 'openai', 'openai-responses'];

const keys: readonly BadInput[] = [
  ...[
    { whose: 'Anthropic', key: anthropicKey, on: ['gemini'] },
    { whose: 'OpenAI or a server like it', key: openaiKey, on: ['gemini'] },
  ].map(({ whose, key, on }) => ({
    what: `a key of ${whose}`,
    answer: googleError(400, `API key not valid: ${key}.`, 'API_KEY_INVALID'),
    key,
    on: on as readonly WireName[],
    kind: 'auth',
    says: new RegExp(
      `which looks like one for ${whose} \\(sk-.*(?:Set API Key.*Connect a Model|in its variable.*--provider)`,
    ),
  })),
  {
    what: 'a key of OpenAI',
    answer: json(401, { error: { type: 'authentication_error', message: `invalid x-api-key ${openaiKey}` } }),
    key: openaiKey,
    on: ['anthropic'],
    kind: 'auth',
    says: /which looks like one for OpenAI or a server like it/,
  },
  {
    what: 'a key of Gemini',
    answer: chatError(401, `Incorrect API key provided: ${geminiKey}.`, 'invalid_api_key'),
    key: geminiKey,
    on: others,
    kind: 'auth',
    says: /which looks like one for Gemini \(AIza…\).*(?:Connect a Model|--provider)/,
  },
  {
    what: 'a key of Anthropic',
    answer: chatError(401, 'Incorrect API key provided.', 'invalid_api_key'),
    key: anthropicKey,
    on: oldPlace,
    kind: 'auth',
    says: /which looks like one for Anthropic/,
  },
  {
    what: 'a key that is wrong, told with status 400,',
    answer: chatError(400, 'Incorrect API key provided.'),
    key: openaiKey,
    on: oldPlace,
    kind: 'auth',
    says: /rejected the API key\. Set a valid one (?:with "Folio: Set API Key"|in the variable of its provider)\.$/,
  },
];

const addresses: readonly BadInput[] = [
  ...[plain(404, '404 page not found'), json(404, { detail: 'Not Found' }), html(404), json(405, {})].map(
    (answer, at) => ({
      what: `an address without /v1 (${at})`,
      answer,
      path: '',
      on: oldPlace,
      kind: 'notFound',
      says: /at this address\. Check the (?:setting \S+|option --base-url); most addresses end in \/v1, as in http:\S+:\d+\/v1\.$/,
    }),
  ),
  {
    what: 'an address without /v1, of a server that says so with status 200,',
    answer: json(200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }),
    path: '',
    on: oldPlace,
    kind: 'notFound',
    says: /most addresses end in \/v1/,
  },
  {
    what: 'an address without /v1, where a page of the server stands,',
    answer: html(200),
    path: '',
    on: oldPlace,
    kind: 'invalidStream',
    says: /web page.*check the (?:setting \S+|option --base-url); most addresses end in \/v1, as in http:\S+:\d+\/v1, then retry\.$/,
  },
  {
    what: 'an address with the path of requests',
    answer: chatError(404, 'Invalid URL'),
    path: '/v1/chat/completions',
    on: oldPlace,
    kind: 'notFound',
    says: /Correct the (?:setting \S+|option --base-url), which needs no more than http:\S+:\d+\/v1\.$/,
  },
  {
    what: 'an address with the path of requests',
    answer: html(404),
    path: '/v1/messages',
    on: ['anthropic'],
    kind: 'notFound',
    says: /which needs no more than http:\/\/127\.0\.0\.1:\d+\.$/,
  },
  {
    what: 'an address with the version in it',
    answer: html(404),
    path: '/v1beta',
    on: ['gemini'],
    kind: 'notFound',
    says: /has no generateContent at this address\. Correct the (?:setting \S+|option --base-url), which needs no more than http:\/\/127\.0\.0\.1:\d+\.$/,
  },
];

const noModel = /has no model "x".*Choose another model with (?:"Folio: Select Model"|--model or \/model)\.$/;
const noTools = 'The model "x" cannot call tools, which Folio needs. Choose another model.';

const models: readonly BadInput[] = [
  {
    what: 'a model that is not there',
    answer: googleError(404, 'models/x is not found for API version v1beta.'),
    on: ['gemini'],
    kind: 'notFound',
    says: noModel,
  },
  {
    what: 'a model that is not there',
    answer: json(404, { error: { type: 'not_found_error', message: 'model: x' } }),
    on: ['anthropic'],
    kind: 'notFound',
    says: noModel,
  },
  ...[
    chatError(404, 'The model `x` does not exist or you do not have access to it.', 'model_not_found'),
    chatError(400, "The requested model 'x' does not exist.", 'model_not_found'),
    chatError(400, 'x is not a valid model ID', 400),
    chatError(400, 'Model Not Exist'),
    chatError(404, 'The API deployment for this resource does not exist.', 'DeploymentNotFound'),
    json(400, { detail: 'Invalid model: x' }),
  ].map((answer, at) => ({
    what: `a model that is not there (${at})`,
    answer,
    on: oldPlace,
    kind: 'notFound',
    says: noModel,
  })),
  {
    what: 'a model that a gateway does not know, told with status 400,',
    answer: chatError(400, 'Invalid model name passed in model=x'),
    kind: 'notFound',
    says: noModel,
  },
  {
    what: 'a model that the key may not use',
    answer: chatError(403, 'Project `p` does not have access to model `x`', 'model_not_found'),
    kind: 'notFound',
    says: /does not let this API key use the model "x"\. Choose another model/,
  },
  {
    what: 'a model that only speaks Responses',
    answer: chatError(404, 'This model is only supported in v1/responses and not in v1/chat/completions.'),
    on: ['openai'],
    kind: 'notFound',
    says: /offered only through OpenAI's Responses\. Choose (?:"OpenAI" with "Folio: Connect a Model"|--provider openai-responses)/,
  },
  ...[
    googleError(400, 'Function calling is not enabled for models/x'),
    chatError(400, 'This model does not support tools.'),
    chatError(400, "Unsupported parameter: 'tools' is not supported with this model."),
  ].map((answer, at) => ({
    what: `a model that cannot call tools (${at})`,
    answer,
    kind: 'noTools',
    says: new RegExp(`^${noTools}$`),
  })),
];

const gates: readonly BadInput[] = [
  {
    what: 'a page to log in',
    answer: loginPage,
    kind: 'invalidStream',
    says: /web page: your network .*Log in with a browser, or check the (?:setting \S+|option --base-url), then retry\.$/,
  },
  ...[403, 511].map(status => ({
    what: `a page to log in with status ${status}`,
    answer: html(status),
    kind: 'forbidden',
    says: new RegExp(`web page \\(status ${status}\\).*Log in with a browser`),
  })),
];

const badInputs: readonly BadInput[] = [...keys, ...addresses, ...models, ...gates];

/** Returns the cases of one wire. */
export function badInputsOf(wire: WireName): readonly BadInput[] {
  return badInputs.filter(({ on }) => on === undefined || on.includes(wire));
}

/** Returns the usual path; empty for wires that add the version themselves. */
export function usualPath(wire: WireName): '' | '/v1' {
  return oldPlace.includes(wire) ? '/v1' : '';
}
