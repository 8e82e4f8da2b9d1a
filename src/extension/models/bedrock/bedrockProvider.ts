/* Claude's models at Amazon Bedrock: Anthropic's Messages at an address that names the model, in frames of Amazon's. */

import { t } from '../../../protocol/language.ts';
import type { ModelProvider } from '../../core/model.ts';
import { abilitiesByName } from '../anthropic/abilitiesByName.ts';
import { createMessagesProvider, messagesService } from '../anthropic/anthropicProvider.ts';
import type { ErrorBody } from '../wire/errorBody.ts';
import type { Service } from '../wire/service.ts';
import { AwsCredentials, signIn } from './awsCredentials.ts';
import { claudeNameOf } from './bedrockModels.ts';
import { addressOf, type BedrockConnection, findRegion } from './bedrockPlace.ts';
import { readFrames } from './eventStream.ts';
import { listProfiles } from './inferenceProfiles.ts';

/** By the names of Bedrock's exceptions, which it sends in the middle of an answer, too. */
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

const service: Service = {
  ...messagesService,
  ownAddress: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  setting: 'folio.bedrock.baseUrl',
  variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  nameOf: () => 'Amazon Bedrock',
  missingKey: () => t('Amazon Bedrock has no credentials. {0}', signIn()),
  rejected: () => t('Amazon Bedrock rejected the AWS credentials or the API key. {0}', signIn()),
  rights: () => t('Check that the account has access to the model, and what your role may do'),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: key => ['authorization', `Bearer ${key}`],
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  keyForm: 'bedrock',
  api: () => t("models of Anthropic's"),
  excess: /\/(anthropic|model|inference-profiles|v1)(\/.*)?$/,
  // Amazon never says when to come back.
  isSpent: (_status, { message }) => /quota|spend limit|payment/i.test(message),
  statusOf: (body: ErrorBody) => exceptionStatus.get(body.code) ?? messagesService.statusOf?.(body),
};

export function createBedrockProvider(connection: BedrockConnection): ModelProvider {
  const credentials = new AwsCredentials();
  const signing: BedrockConnection = {
    ...connection,
    // A key is in the headers already.
    sign: async request =>
      request.headers.authorization ? request.headers : credentials.sign(request, findRegion(connection)),
    refused: () => credentials.forget(),
  };
  const answers = createMessagesProvider({
    service,
    connection: { ...signing, baseUrl: () => addressOf('bedrock-runtime', connection) },
    // The address names the model and that the answer streams, and the body the version.
    send: ({ model, stream: _, ...body }) => ({
      path: `/model/${encodeURIComponent(model)}/invoke-with-response-stream`,
      body: { ...body, anthropic_version: 'bedrock-2023-05-31' },
    }),
    read: readFrames,
    abilities: model => abilitiesByName(claudeNameOf(model) ?? model),
  });
  return {
    stream: request => answers.stream(request),
    listModels: signal => listProfiles(service, signing, signal),
  };
}
