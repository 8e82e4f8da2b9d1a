import { messageOf } from '../../base/errors.ts';
import type { Connection } from '../connection.ts';
import type { ChosenModel } from './chosenModel.ts';
import type { ConnectQuestions } from './connectQuestions.ts';
import { type Attempt, type Attempted, type ConnectWay, stuck } from './connectWay.ts';
import { findRegionFault } from './keyWords.ts';
import type { Machine } from './machine.ts';

/** The machine's access to Amazon Bedrock, looked up anew each time. */
interface AmazonCloud {
  /** Empty: none is named. */
  readonly region: () => string;
  /** Also a key of Bedrock's own counts. */
  readonly hasCredentials: () => Promise<boolean>;
}

const signIn = 'aws sso login';

/** Claude's models in the person's account at Amazon: what is missing is asked for or said, one after the other. */
export function bedrockWay(
  aws: AmazonCloud,
  machine: Machine,
  connection: Connection,
  chosen: ChosenModel,
  questions: ConnectQuestions,
): ConnectWay {
  const nameRegion = async (attempt: Attempt): Promise<Attempted> => {
    const question = {
      title: 'AWS region',
      prompt: 'The region whose models answer.',
      value: aws.region(),
      findFault: findRegionFault,
    };
    const region = (await questions.askText(question, attempt.signal))?.trim();
    if (region === undefined) return noRegion;
    await chosen.saveRegion(region);
    return connect(attempt);
  };
  const connect = async ({ signal, show }: Attempt): Promise<Attempted> => {
    if (!(await aws.hasCredentials())) return noCredentials(machine);
    show({ status: 'working', doing: 'Asking Amazon Bedrock for its models…' });
    try {
      const models = await connection.at('bedrock', undefined).listModels(signal);
      const trouble = await chosen.saveListed('bedrock', models);
      return trouble === undefined ? 'connected' : stuck(trouble, 'again');
    } catch (error) {
      signal.throwIfAborted();
      return stuck(messageOf(error), 'again', 'region', 'signIn');
    }
  };
  const start = (attempt: Attempt) => (aws.region() === '' ? nameRegion(attempt) : connect(attempt));
  return {
    known: async () => ({ awsRegion: aws.region(), hasAwsCredentials: await aws.hasCredentials() }),
    start,
    act: async (action, attempt) => {
      if (action === 'region') return nameRegion(attempt);
      if (action !== 'signIn') return start(attempt);
      questions.openTerminal(signIn);
      return signingIn;
    },
    useKey: async (key, attempt) => {
      await chosen.saveKey('bedrock', key);
      return start(attempt);
    },
  };
}

const noRegion = stuck('Amazon Bedrock needs a region. Name one, and Folio goes on.', 'region');

const signingIn = stuck(
  'The command stands in the terminal. Press Enter there, sign in, then try again.',
  'again',
  'signIn',
);

function noCredentials({ name }: Machine): Attempted {
  return stuck(
    `No AWS credentials were found on ${name}. Sign in with "${signIn}" or "aws configure" in a terminal, or set AWS_BEARER_TOKEN_BEDROCK, then try again.`,
    'signIn',
    'again',
  );
}
