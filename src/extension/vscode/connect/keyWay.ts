import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';
import type { SecretName, Secrets } from '../../platform/secrets.ts';
import type { Connection } from '../connection.ts';
import type { ChosenModel } from './chosenModel.ts';
import type { ConnectQuestions, KeyQuestion } from './connectQuestions.ts';
import { type Attempt, type Attempted, type ConnectionMethod, stuck } from './connectWay.ts';

/** A service that needs nothing but a key. */
export interface KeyOwner {
  readonly name: Exclude<SecretName, 'openai'>;
  readonly question: Pick<KeyQuestion, 'of' | 'belongsElsewhere'>;
  /** A sentence for a key that it does not take. */
  readonly rejection: string;
}

/**
 * A key that is stored already is used; else the user is asked for one, which is tried before it is kept.
 * @param useElsewhere gets a key that belongs to another way
 */
export function keyWay(
  owner: KeyOwner,
  secrets: Secrets,
  connection: Connection,
  chosen: ChosenModel,
  questions: ConnectQuestions,
  useElsewhere: (owner: SecretName, key: string) => void,
): ConnectionMethod {
  let models: readonly ModelInfo[] = [];
  const isAtOther = () => owner.name === 'openai-responses' && chosen.azure.address !== '';
  const tryKey = async (key: string, signal: AbortSignal) => {
    models = [];
    try {
      // An address at Azure is that of another way, and OpenAI's key is none for there.
      models = await connection.at(owner.name, key, isAtOther() ? '' : undefined).listModels(signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return describeKeyProblem(owner, error);
    }
  };
  const finish = async (): Promise<Attempted> => {
    const problem = await chosen.saveListed(owner.name, models);
    return problem === undefined ? 'connected' : stuck(problem, 'again');
  };
  const ask = async ({ signal }: Attempt): Promise<Attempted> => {
    const answer = await questions.askKey({ ...owner.question, tryKey }, signal);
    switch (answer.kind) {
      case 'left':
        return answer.problem === undefined ? 'left' : stuck(answer.problem, 'key');
      case 'misplaced':
        useElsewhere(answer.owner, answer.key);
        return 'left';
      case 'key':
        await chosen.saveKey(owner.name, answer.key);
        return finish();
    }
  };
  const start = async (attempt: Attempt): Promise<Attempted> => {
    const stored = await secrets.read(owner.name);
    const isInUse = connection.kind === 'key' && connection.chosen === owner.name;
    if (stored === undefined || isInUse || isAtOther()) return ask(attempt);
    attempt.show({ status: 'working', doing: t('Trying the key that is stored…') });
    const problem = await tryKey(stored, attempt.signal);
    return problem === undefined ? finish() : stuck(problem, 'key', 'again');
  };
  return {
    start,
    act: (action, attempt) => (action === 'key' ? ask(attempt) : start(attempt)),
    useKey: async (key, { signal, show }) => {
      show({ status: 'working', doing: t('Trying the key…') });
      const problem = await tryKey(key, signal);
      if (problem !== undefined) return stuck(problem, 'key');
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

/** One sentence for a key that its owner does not take, or for whatever else was in the way. */
export function describeKeyProblem({ rejection }: KeyOwner, error: unknown): string {
  return error instanceof ModelError && error.kind === 'auth' ? rejection : messageOf(error);
}
