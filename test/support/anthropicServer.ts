/*
 * A scripted server of Anthropic's Messages (scriptedServer.ts) that refuses what the service refuses
 * (anthropicRequestRules.ts). Its list has the rules of each model.
 */

import { blockEvents, eventText, finish, type MessagesStep, refusal } from './anthropicAnswers.ts';
import {
  findMessagesFault,
  GivenThoughts,
  type MessagesBody,
  type ModelRules,
  PausedAnswers,
} from './anthropicRequestRules.ts';
import { isEnded, type RawStep, type ScriptedServer, startScriptedServer } from './scriptedServer.ts';

export type AnthropicServer = ScriptedServer<MessagesStep, MessagesBody>;

export interface AnthropicServerOptions {
  /** The only valid key. Absent: no key is required. */
  readonly apiKey?: string;
  /** Rules by model name. Absent: those of the service. */
  readonly models?: Readonly<Record<string, ModelRules>>;
  /** Model whose rules apply to all other names. */
  readonly anyModelAs?: string;
  /** Acts as a gateway without a list of models. */
  readonly listsNothing?: true;
}

/** One model of each kind. */
export const anthropicModels: Readonly<Record<string, ModelRules>> = {
  'claude-opus-4-6': { adaptive: true, enabled: false, disabled: true, effort: true, maxTokens: 64_000 },
  'claude-sonnet-4-6': { adaptive: true, enabled: true, disabled: true, effort: true, maxTokens: 64_000 },
  'claude-haiku-4-5': { adaptive: false, enabled: true, disabled: true, maxTokens: 64_000 },
  'claude-always-thinking': { adaptive: true, enabled: false, disabled: false, maxTokens: 128_000 },
  'claude-plain': { adaptive: false, enabled: false, disabled: true, maxTokens: 8192 },
};

export function startAnthropicServer(options: AnthropicServerOptions = {}): Promise<AnthropicServer> {
  const { apiKey, anyModelAs = '', listsNothing } = options;
  const models = withOthers(options.models ?? anthropicModels, anyModelAs);
  const given = new GivenThoughts();
  const paused = new PausedAnswers();
  return startScriptedServer<MessagesStep, MessagesBody>({
    route: 'POST /v1/messages',
    isLetIn: headers =>
      apiKey === undefined || headers['x-api-key'] === apiKey || headers.authorization === `Bearer ${apiKey}`,
    wrongKey: headers =>
      refusal(401, 'authentication_error', `invalid x-api-key: ${headers['x-api-key'] ?? 'none'}`),
    models: route => (listsNothing ? undefined : answerAboutModels(route, models)),
    findFault: (body, headers) =>
      findMessagesFault(body, headers, models, blocks => paused.endIn(blocks)) ?? given.findFault(body),
    refusal: (status, message) =>
      refusal(status, status === 404 ? 'not_found_error' : 'invalid_request_error', message),
    play: steps => {
      const blocks = steps.flatMap(step => (step.kind === 'block' ? [step.block] : []));
      given.remember(blocks);
      if (steps.some(step => step.kind === 'finish' && step.reason === 'pause_turn')) paused.remember(blocks);
      return playSteps(steps);
    },
  });
}

/** A Google Cloud project that accepts one token. */
export interface ClaudePlace {
  readonly project: string;
  readonly location: string;
  readonly token: string;
}

/** Serves the models on Vertex AI: the path names the model, the body the version. */
export function startClaudeOnVertex(
  { project, location, token }: ClaudePlace,
  model: string,
): Promise<AnthropicServer> {
  const models = withOthers(anthropicModels, '');
  return startScriptedServer<MessagesStep, VertexBody>({
    route: `POST /v1/projects/${project}/locations/${location}/publishers/anthropic/models/${model}:streamRawPredict`,
    isLetIn: ({ authorization }) => authorization === `Bearer ${token}`,
    wrongKey: () => ({
      kind: 'json',
      status: 401,
      body: { error: { code: 401, message: 'Request had invalid credentials.', status: 'UNAUTHENTICATED' } },
    }),
    models: () => undefined,
    findFault: ({ anthropic_version: version, ...body }) => {
      if (version !== 'vertex-2023-10-16') return 'anthropic_version: Field required';
      if (body.model !== undefined) return 'model: Extra inputs are not permitted';
      return findMessagesFault({ ...body, model }, { 'anthropic-version': '2023-06-01' }, models);
    },
    refusal: (status, message) =>
      refusal(status, status === 404 ? 'not_found_error' : 'invalid_request_error', message),
    play: playSteps,
  });
}

interface VertexBody extends MessagesBody {
  readonly anthropic_version?: string;
}

export function playSteps(steps: readonly MessagesStep[]): readonly RawStep[] {
  return [
    { kind: 'events', text: eventText({ type: 'ping' }) },
    { kind: 'events', text: eventText(messageStart) },
    ...complete(steps).map(toRaw),
  ];
}

/** Adds the model of the provider contract. */
export function withOthers(
  models: Readonly<Record<string, ModelRules>>,
  like: string,
): Readonly<Record<string, ModelRules>> {
  const rules = models[like];
  return rules ? { ...models, 'gemini-2.5-pro': rules } : models;
}

/** Answers requests for one or all models. */
export function answerAboutModels(route: string, models: Readonly<Record<string, ModelRules>>): unknown {
  const path = /^GET \/v1\/models(?:\/([^?]+))?/.exec(route);
  if (!path) return undefined;
  const entries = Object.entries(models).map(([id, rules]) => describe(id, rules));
  return path[1] === undefined
    ? { data: entries, has_more: false }
    : entries.find(({ id }) => id === path[1]);
}

function describe(id: string, { adaptive, enabled, disabled, effort, maxTokens }: ModelRules) {
  const types = Object.entries({ adaptive, enabled, disabled }).map(([name, supported]) => [
    name,
    { supported },
  ]);
  return {
    id,
    type: 'model',
    display_name: `Model ${id}`,
    max_input_tokens: 200_000,
    max_tokens: maxTokens,
    capabilities: {
      effort: effortOf(effort === true),
      thinking: { supported: adaptive || enabled, types: Object.fromEntries(types) },
    },
  };
}

function effortOf(supported: boolean) {
  return { supported, low: { supported }, medium: { supported }, high: { supported }, max: { supported } };
}

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 },
  },
};

function complete(steps: readonly MessagesStep[]): readonly MessagesStep[] {
  if (isEnded(steps)) return steps;
  const called = steps.some(step => step.kind === 'block' && step.block.type === 'tool_use');
  return [...steps, finish(called ? 'tool_use' : 'end_turn')];
}

function toRaw(step: MessagesStep, index: number): RawStep {
  switch (step.kind) {
    case 'block':
      return { kind: 'events', text: blockEvents(step.block, index) };
    case 'tornText':
      return {
        kind: 'torn',
        bytes: new TextEncoder().encode(blockEvents({ type: 'text', text: step.text }, index)),
      };
    case 'event':
      return { kind: 'events', text: eventText(step.event) };
    case 'finish': {
      const { reason, usage = { output_tokens: 5 }, details = null } = step;
      const delta = { stop_reason: reason, stop_sequence: null, stop_details: details };
      const last = eventText({ type: 'message_delta', delta, usage });
      return { kind: 'events', text: `${last}${eventText({ type: 'message_stop' })}` };
    }
    case 'bytes':
    case 'torn':
    case 'hang':
    case 'reset':
    case 'stop':
      return step;
  }
}
