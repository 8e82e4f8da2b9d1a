import { t } from '../../../protocol/language.ts';
import { messagesService } from '../anthropic/anthropicProvider.ts';
import { geminiService } from '../gemini/geminiProvider.ts';
import type { ModelService } from '../wire/service.ts';
import { googleSignInAdvice } from './googleCredentials.ts';

const place = {
  ownAddress: 'https://aiplatform.googleapis.com',
  setting: 'folio.vertex.baseUrl',
  variable: 'GOOGLE_VERTEX_BASE_URL',
  excess: /\/v1(beta1?)?(\/(projects|publishers).*)?$/,
  nameOf: () => 'Vertex AI',
  rejected: () => t('Vertex AI rejected the Google credentials. {0}', googleSignInAdvice()),
  keyHeader: (token: string) => ['authorization', `Bearer ${token}`],
} as const satisfies Partial<ModelService>;

export const geminiOnVertex: ModelService = {
  ...geminiService,
  ...place,
  rights: () => t('Check that the Vertex AI API is enabled in the project, your role in it, and its billing'),
};

export const claudeOnVertex: ModelService = {
  ...messagesService,
  ...place,
  keptHeaders: ['accept', 'content-type'],
  api: () => t("model of Anthropic's"),
};
