import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';
import type { ApiKeyName, ApiKeys } from '../../platform/secrets.ts';
import type { ModelConnection } from '../modelConnection.ts';
import type { ChosenModelWriter } from './chosenModelWriter.ts';
import type { ConnectDialogs, KeyQuestion } from './connectDialogs.ts';
import {
  type ConnectAttempt,
  type ConnectionMethod,
  type ConnectResult,
  stuckStep,
} from './connectionMethod.ts';

/** A service that needs only a key. */
export interface KeyOwner {
  readonly name: Exclude<ApiKeyName, 'openai'>;
  readonly question: Pick<KeyQuestion, 'of' | 'belongsElsewhere'>;
  readonly rejection: string;
}

/**
 * Uses a stored key; otherwise asks for one and tries it before it is saved.
 * @param useElsewhere gets a key that belongs to another provider
 */
export function keyMethod(
  owner: KeyOwner,
  apiKeys: ApiKeys,
  connection: ModelConnection,
  chosen: ChosenModelWriter,
  questions: ConnectDialogs,
  useElsewhere: (owner: ApiKeyName, key: string) => void,
): ConnectionMethod {
  let models: readonly ModelInfo[] = [];
  const isAtOther = () => owner.name === 'openai-responses' && chosen.azure.address !== '';
  const tryKey = async (key: string, signal: AbortSignal) => {
    models = [];
    try {
      // A configured Azure address is not OpenAI's, so OpenAI's key is tried at the default one.
      models = await connection.at(owner.name, key, isAtOther() ? '' : undefined).listModels(signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return describeKeyProblem(owner, error);
    }
  };
  const finish = async (): Promise<ConnectResult> => {
    const problem = await chosen.saveListed(owner.name, models);
    return problem === undefined ? 'connected' : stuckStep(problem, 'again');
  };
  const ask = async ({ signal }: ConnectAttempt): Promise<ConnectResult> => {
    const answer = await questions.askKey({ ...owner.question, tryKey }, signal);
    switch (answer.kind) {
      case 'left':
        return answer.problem === undefined ? 'left' : stuckStep(answer.problem, 'key');
      case 'misplaced':
        useElsewhere(answer.owner, answer.key);
        return 'left';
      case 'key':
        await chosen.saveKey(owner.name, answer.key, answer.problem);
        return finish();
    }
  };
  const start = async (attempt: ConnectAttempt): Promise<ConnectResult> => {
    const stored = await apiKeys.read(owner.name);
    const isInUse = connection.kind === 'key' && connection.chosen === owner.name;
    if (stored === undefined || isInUse || isAtOther()) return ask(attempt);
    attempt.show({ status: 'working', doing: t('Trying the key that is stored…') });
    const problem = await tryKey(stored, attempt.signal);
    return problem === undefined ? finish() : stuckStep(problem, 'key', 'again');
  };
  return {
    start,
    act: (action, attempt) => (action === 'key' ? ask(attempt) : start(attempt)),
    useKey: async (key, { signal, show }) => {
      show({ status: 'working', doing: t('Trying the key…') });
      const problem = await tryKey(key, signal);
      if (problem !== undefined) return stuckStep(problem, 'key');
      await chosen.saveKey(owner.name, key);
      return finish();
    },
  };
}

export const keyOwners = (): Readonly<Record<KeyOwner['name'], KeyOwner>> => ({
  gemini: {
    name: 'gemini',
    question: {
      of: t('the Gemini API'),
      belongsElsewhere: owner => owner !== 'gemini',
    },
    rejection: t(
      'Gemini rejected this API key. Copy the full key from aistudio.google.com/apikey, and try again.',
    ),
  },
  anthropic: {
    name: 'anthropic',
    question: {
      of: t('the Anthropic API'),
      belongsElsewhere: owner => owner !== 'anthropic',
    },
    rejection: t(
      'Anthropic rejected this API key. Copy the full key from platform.claude.com/settings/keys, and try again.',
    ),
  },
  'openai-responses': {
    name: 'openai-responses',
    question: {
      of: t('the OpenAI API'),
      belongsElsewhere: owner => owner !== 'openai',
    },
    rejection: t(
      'OpenAI rejected this API key. Copy the full key from platform.openai.com/api-keys, and try again.',
    ),
  },
  bedrock: {
    name: 'bedrock',
    question: { of: 'Amazon Bedrock', belongsElsewhere: owner => owner !== 'bedrock' },
    rejection: t(
      'Amazon Bedrock rejected this API key. Create one in the Bedrock console, in the same region, and try again.',
    ),
  },
});

/** Returns a sentence for a key that its owner rejects, or for any other error. */
export function describeKeyProblem({ rejection }: KeyOwner, error: unknown): string {
  return error instanceof ModelError && error.kind === 'auth' ? rejection : messageOf(error);
}
