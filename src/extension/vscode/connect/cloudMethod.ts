import { t } from '../../../protocol/language.ts';
import type { ConnectionStep, KnownConnections } from '../../../protocol/panel/connecting.ts';
import { messageOf } from '../../base/errors.ts';
import type { ModelConnection } from '../modelConnection.ts';
import type { ChosenModelWriter } from './chosenModelWriter.ts';
import type { ConnectDialogs, TextQuestion } from './connectDialogs.ts';
import {
  type ConnectAttempt,
  type ConnectionMethod,
  type ConnectResult,
  stuckStep,
} from './connectionMethod.ts';

/** A user's account at a cloud provider. Location and credentials are looked up each time. */
export interface CloudAccount {
  readonly provider: 'vertex' | 'bedrock';
  /** Name within a sentence. */
  readonly name: string;
  readonly signIn: string;
  /** The required location: the project to bill, or the region. */
  readonly placeName: 'project' | 'region';
  /** Empty if not configured. */
  readonly place: () => string;
  readonly savePlace: (place: string) => Promise<void>;
  readonly askPlace: Omit<TextQuestion, 'value'>;
  /** A sentence for a user who configured none. */
  readonly noPlace: string;
  readonly hasCredentials: () => Promise<boolean>;
  readonly noCredentials: string;
  /** Absent if it accepts no keys. */
  readonly saveKey?: (key: string) => Promise<void>;
  readonly known: () => Promise<KnownConnections>;
}

/** Guides the user through everything that is missing, step by step. */
export function cloudMethod(
  cloud: CloudAccount,
  connection: ModelConnection,
  chosen: ChosenModelWriter,
  questions: ConnectDialogs,
): ConnectionMethod {
  const namePlace = async (attempt: ConnectAttempt): Promise<ConnectResult> => {
    const question = { ...cloud.askPlace, value: cloud.place() };
    const place = (await questions.askText(question, attempt.signal))?.trim();
    if (place === undefined) return stuckStep(cloud.noPlace, cloud.placeName);
    await cloud.savePlace(place);
    return connect(attempt);
  };
  const connect = async ({ signal, show }: ConnectAttempt): Promise<ConnectResult> => {
    if (!(await cloud.hasCredentials())) return stuckStep(cloud.noCredentials, 'signIn', 'again');
    show({ status: 'working', doing: t('Asking {0} for its models…', cloud.name) });
    try {
      const models = await connection.at(cloud.provider, undefined).listModels(signal);
      const problem = await chosen.saveListed(cloud.provider, models);
      return problem === undefined ? 'connected' : stuckStep(problem, 'again');
    } catch (error) {
      signal.throwIfAborted();
      return stuckStep(messageOf(error), 'again', cloud.placeName, 'signIn');
    }
  };
  const start = (attempt: ConnectAttempt) => (cloud.place() === '' ? namePlace(attempt) : connect(attempt));
  return {
    known: cloud.known,
    start,
    act: async (action, attempt) => {
      if (action === cloud.placeName) return namePlace(attempt);
      if (action !== 'signIn') return start(attempt);
      questions.openTerminal(cloud.signIn);
      return signingIn();
    },
    useKey: async (key, attempt) => {
      await cloud.saveKey?.(key);
      return start(attempt);
    },
  };
}

function signingIn(): ConnectionStep {
  return stuckStep(
    t('The command stands in the terminal. Press Enter there, sign in, then try again.'),
    'again',
    'signIn',
  );
}
