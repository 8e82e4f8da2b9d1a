/* Tokens of Microsoft Entra ID for Azure OpenAI. They stay in memory: nobody writes them anywhere. */

import { t } from '../../protocol/language.ts';
import { messageOf } from '../base/errors.ts';
import { ModelError } from '../core/model.ts';

/** The right to ask models of a resource at Azure. */
export const entraScope = 'https://cognitiveservices.azure.com/.default';

const variable = 'AZURE_OPENAI_AD_TOKEN';

interface EntraSource {
  /** The environment comes first: whoever set a token there wants that one. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address that is set; empty: OpenAI itself, which takes no such token. */
  readonly address: () => string;
  /** Asks for a token that is valid now. May reject. */
  readonly ask: () => Promise<string>;
  /** Tells how to get one, a sentence. */
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
