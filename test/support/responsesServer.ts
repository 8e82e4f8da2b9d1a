/*
 * A server of OpenAI's Responses that says what a test wants (scriptedServer.ts) and refuses what the service refuses
 * (responsesRequestRules.ts).
 */

import { finish, itemEvents, type ResponsesStep } from './responsesAnswers.ts';
import { findResponsesFault, GivenItems, type ResponsesBody } from './responsesRequestRules.ts';
import {
  isEnded,
  type RawStep,
  type ScriptedRefusal,
  type ScriptedServer,
  startScriptedServer,
} from './scriptedServer.ts';
import { eventText } from './scriptedSteps.ts';

export type ResponsesServer = ScriptedServer<ResponsesStep, ResponsesBody>;

export interface ResponsesServerOptions {
  /** The only key that is let in; by default none is needed. */
  readonly apiKey?: string;
  /** The body of the list of models. */
  readonly models?: unknown;
  /** Why this account alone is refused with status 400; `undefined`: it is not. */
  readonly refuses?: (body: ResponsesBody) => string | undefined;
}

export function startResponsesServer(options: ResponsesServerOptions = {}): Promise<ResponsesServer> {
  const { apiKey, models = responsesModels, refuses } = options;
  const given = new GivenItems();
  return startScriptedServer<ResponsesStep, ResponsesBody>({
    route: 'POST /v1/responses',
    isLetIn: ({ authorization }) => apiKey === undefined || authorization === `Bearer ${apiKey}`,
    wrongKey: ({ authorization = 'none' }) =>
      responsesRefusal(401, `Incorrect API key provided: ${authorization}.`, 'invalid_api_key'),
    models: route => (route === 'GET /v1/models' ? models : undefined),
    findFault: body => findResponsesFault(body, isThinking) ?? given.findFault(body) ?? refuses?.(body),
    refusal: (status, message) => responsesRefusal(status, message),
    play: steps => {
      given.remember(steps.flatMap(step => (step.kind === 'item' ? [step.item] : [])));
      return [
        { kind: 'events', text: eventText({ type: 'response.created', response: { id: 'resp_1' } }) },
        ...complete(steps).map(toRaw),
      ];
    },
  });
}

/** As the service has them: models for all sorts of things, in no order. */
export const responsesModels = {
  object: 'list',
  data: [
    { id: 'gpt-4o-mini-tts', object: 'model', created: 1_742_403_959 },
    { id: 'gpt-4.1', object: 'model', created: 1_744_316_542 },
    { id: 'gpt-5-mini', object: 'model', created: 1_754_425_928 },
    { id: 'gpt-5', object: 'model', created: 1_754_425_777 },
    { id: 'gpt-5.1', object: 'model', created: 1_762_800_673 },
    { id: 'o4-mini', object: 'model', created: 1_744_225_351 },
    { id: 'davinci-002', object: 'model', created: 1_692_634_301 },
  ],
};

function isThinking(model: string): boolean {
  return /^(gpt-[5-9]|o\d)/.test(model);
}

/** An error in the form of the service. */
export function responsesRefusal(
  status: number,
  message: string,
  code: string | null = null,
  headers?: Readonly<Record<string, string>>,
): ScriptedRefusal {
  const body = { error: { message, type: 'invalid_request_error', param: null, code } };
  return { kind: 'json', status, body, ...(headers ? { headers } : {}) };
}

function complete(steps: readonly ResponsesStep[]): readonly ResponsesStep[] {
  const last = steps.at(-1);
  const isFailed = last?.kind === 'event' && /^(error|response\.failed)$/.test(last.event.type);
  return isEnded(steps) || isFailed ? steps : [...steps, finish()];
}

const defaultUsage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
};

function toRaw(step: ResponsesStep, index: number): RawStep {
  switch (step.kind) {
    case 'item':
      return { kind: 'events', text: itemEvents(step.item, index) };
    case 'tornText':
      return {
        kind: 'torn',
        bytes: new TextEncoder().encode(itemEvents({ type: 'message', text: step.text }, index)),
      };
    case 'event':
      return { kind: 'events', text: eventText(step.event) };
    case 'finish':
      return { kind: 'events', text: finishText(step) };
    case 'bytes':
    case 'torn':
    case 'hang':
    case 'reset':
    case 'stop':
      return step;
  }
}

export function finishText({
  incomplete,
  usage = defaultUsage,
}: Omit<Extract<ResponsesStep, { kind: 'finish' }>, 'kind'>): string {
  const status = incomplete === undefined ? 'completed' : 'incomplete';
  const incomplete_details = incomplete === undefined ? null : { reason: incomplete };
  return eventText({
    type: `response.${status}`,
    response: { id: 'resp_1', status, incomplete_details, usage },
  });
}
