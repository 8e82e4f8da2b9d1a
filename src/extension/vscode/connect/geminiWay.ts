import { messageOf } from '../../base/errors.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Connection } from '../connection.ts';
import type { ChosenModel } from './chosenModel.ts';
import type { ConnectQuestions, KeyQuestion } from './connectQuestions.ts';
import { type Attempt, type Attempted, type ConnectWay, stuck } from './connectWay.ts';

/**
 * A key that is stored already is used; else the person is asked for one, which is tried before it is kept.
 * @param useElsewhere gets a key that belongs to another way
 */
export function geminiWay(
  secrets: Secrets,
  connection: Connection,
  chosen: ChosenModel,
  questions: ConnectQuestions,
  useElsewhere: (key: string) => void,
): ConnectWay {
  let models: readonly ModelInfo[] = [];
  const tryKey = async (key: string, signal: AbortSignal) => {
    models = [];
    try {
      models = await connection.check('gemini', key, signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return describeGeminiTrouble(error);
    }
  };
  const finish = async (): Promise<Attempted> => {
    const trouble = await chosen.saveGemini(models);
    return trouble === undefined ? 'connected' : stuck(trouble, 'again');
  };
  const ask = async ({ signal }: Attempt): Promise<Attempted> => {
    const answer = await questions.askKey({ ...geminiKey, tryKey }, signal);
    switch (answer.kind) {
      case 'left':
        return answer.trouble === undefined ? 'left' : stuck(answer.trouble, 'key');
      case 'misplaced':
        useElsewhere(answer.key);
        return 'left';
      case 'key':
        await chosen.saveKey('gemini', answer.key);
        return finish();
    }
  };
  const start = async (attempt: Attempt): Promise<Attempted> => {
    const stored = await secrets.read('gemini');
    const isInUse = connection.kind === 'key' && connection.chosen === 'gemini';
    if (stored === undefined || isInUse) return ask(attempt);
    attempt.show({ status: 'working', doing: 'Trying the key that is stored…' });
    const trouble = await tryKey(stored, attempt.signal);
    return trouble === undefined ? finish() : stuck(trouble, 'key', 'again');
  };
  return {
    start,
    act: (action, attempt) => (action === 'key' ? ask(attempt) : start(attempt)),
    useKey: async (key, { signal, show }) => {
      show({ status: 'working', doing: 'Trying the key…' });
      const trouble = await tryKey(key, signal);
      if (trouble !== undefined) return stuck(trouble, 'key');
      await chosen.saveKey('gemini', key);
      return finish();
    },
  };
}

export const geminiKey = {
  of: 'the Gemini API',
  belongsElsewhere: owner => owner !== 'gemini',
} as const satisfies Partial<KeyQuestion>;

/** One sentence for a key that Gemini does not take, or for whatever else was in the way. */
export function describeGeminiTrouble(error: unknown): string {
  const isRejected = error instanceof ModelError && error.kind === 'auth';
  return isRejected
    ? 'Gemini rejected this API key. Copy it whole from aistudio.google.com/apikey, and try again.'
    : messageOf(error);
}
