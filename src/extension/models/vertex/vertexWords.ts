import { t } from '../../../protocol/language.ts';
import type { ServiceWords } from '../gemini/serviceWords.ts';

/** Advice for a user who has no credentials, or whose credentials are refused. */
export const signIn = () => t('Run "gcloud auth application-default login" in a terminal, then retry.');

export const vertexWords: ServiceWords = {
  name: 'Vertex AI',
  get holder() {
    return t('this project');
  },
  setting: 'folio.vertex.baseUrl',
  variable: 'GOOGLE_VERTEX_BASE_URL',
  ending: '',
  excess: /\/v1(beta1?)?(\/(projects|publishers).*)?$/,
  get places() {
    return t('the settings folio.vertex.project and folio.vertex.location');
  },
  get permissions() {
    return t('that the Vertex AI API is enabled in the project, and your role in it');
  },
  get billing() {
    return t('its billing and the setting folio.vertex.location');
  },
  rejected: () => t('Vertex AI rejected the Google credentials. {0}', signIn()),
  get missing() {
    return t('Vertex AI got no credentials. {0}', signIn());
  },
  get broken() {
    return t('The Google credentials gave a token that cannot be sent. {0}', signIn());
  },
};
