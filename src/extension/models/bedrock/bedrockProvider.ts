/*
 * Provider for Claude's models on Amazon Bedrock: Anthropic's Messages API in Amazon's frames, at an address that names
 * the model.
 */

import { t } from '../../../protocol/language.ts';
import type { ModelProvider } from '../../core/model.ts';
import { abilitiesByName } from '../anthropic/abilitiesByName.ts';
import { createMessagesProvider, messagesService } from '../anthropic/anthropicProvider.ts';
import type { ErrorBody } from '../wire/errorBody.ts';
import type { ModelService } from '../wire/service.ts';
import { AwsCredentials, awsSignInAdvice } from './awsCredentials.ts';
import { type BedrockConnection, bedrockEndpoint, findRegion } from './bedrockEndpoint.ts';
import { claudeNameOf } from './bedrockModels.ts';
import { readEventFrames } from './eventStream.ts';
import { listProfiles } from './inferenceProfiles.ts';

/** HTTP status by the name of a Bedrock exception. Bedrock also sends these in the middle of an answer. */
const exceptionStatus: ReadonlyMap<string, number> = new Map([
  ['validationException', 400],
  ['accessDeniedException', 403],
  ['resourceNotFoundException', 404],
  ['modelTimeoutException', 408],
  ['throttlingException', 429],
  ['internalServerException', 500],
  ['modelStreamErrorException', 500],
  ['serviceUnavailableException', 503],
]);

const service: ModelService = {
  ...messagesService,
  ownAddress: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  setting: 'folio.bedrock.baseUrl',
  variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  nameOf: () => 'Amazon Bedrock',
  missingKey: () => t('Amazon Bedrock has no credentials. {0}', awsSignInAdvice()),
  rejected: () => t('Amazon Bedrock rejected the AWS credentials or the API key. {0}', awsSignInAdvice()),
  rights: () => t('Check that the account has access to the model, and what your role may do'),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: key => ['authorization', `Bearer ${key}`],
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  keyForm: 'bedrock',
  api: () => t("models of Anthropic's"),
  excess: /\/(anthropic|model|inference-profiles|v1)(\/.*)?$/,
  // Amazon never says when to retry.
  isSpent: (_status, { message }) => /quota|spend limit|payment/i.test(message),
  statusOf: (body: ErrorBody) => exceptionStatus.get(body.code) ?? messagesService.statusOf?.(body),
};

export function createBedrockProvider(connection: BedrockConnection): ModelProvider {
  const credentials = new AwsCredentials();
  const signing: BedrockConnection = {
    ...connection,
    // The headers already contain the key.
    sign: async request =>
      request.headers.authorization ? request.headers : credentials.sign(request, findRegion(connection)),
    refused: () => credentials.forget(),
  };
  const answers = createMessagesProvider({
    service,
    connection: { ...signing, baseUrl: () => bedrockEndpoint('bedrock-runtime', connection) },
    // The address names the model and requests streaming; the body holds the version.
    send: ({ model, stream: _, ...body }) => ({
      path: `/model/${encodeURIComponent(model)}/invoke-with-response-stream`,
      body: { ...body, anthropic_version: 'bedrock-2023-05-31' },
    }),
    read: readEventFrames,
    abilities: model => abilitiesByName(claudeNameOf(model) ?? model),
  });
  return {
    stream: request => answers.stream(request),
    listModels: signal => listProfiles(service, signing, signal),
  };
}
