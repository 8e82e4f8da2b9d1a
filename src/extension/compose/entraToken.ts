/* Tokens of Microsoft Entra ID for Azure OpenAI. Held in memory only. */

import { t } from '../../protocol/language.ts';
import { messageOf } from '../base/errors.ts';
import { ModelError } from '../core/model.ts';

/** Scope for requests to models of an Azure resource. */
export const entraScope = 'https://cognitiveservices.azure.com/.default';

const variable = 'AZURE_OPENAI_AD_TOKEN';

interface EntraSource {
  /** A token in the environment takes precedence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configured address; empty for OpenAI itself, which takes no such token. */
  readonly address: () => string;
  /** Requests a token that is valid now. May reject. */
  readonly ask: () => Promise<string>;
  /** Returns a sentence on how to get one. */
  readonly advice: () => string;
}

/** Rejects with a `ModelError`. */
export async function readEntraToken({ env, address, ask, advice }: EntraSource): Promise<string> {
  if (address() === '') {
    throw noToken(() =>
      t(
        'Microsoft Entra ID works only with Azure OpenAI. Set folio.openaiResponses.baseUrl to your resource, such as https://NAME.openai.azure.com/openai/v1, or set folio.openaiResponses.signIn to "key".',
      ),
    );
  }
  const given = env[variable]?.trim();
  if (given) return given;
  try {
    return await ask();
  } catch (error) {
    throw noToken(() => t('Microsoft Entra ID gave no token ({0}). {1}', messageOf(error), advice()), error);
  }
}

function noToken(say: () => string, cause?: unknown): ModelError {
  return new ModelError('auth', say, { retryable: false, cause });
}
