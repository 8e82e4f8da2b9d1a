import { messageOf } from '../../base/errors.ts';
import type { Connection } from '../connection.ts';
import type { ChosenModel } from './chosenModel.ts';
import type { ConnectQuestions } from './connectQuestions.ts';
import { type Attempt, type Attempted, type ConnectWay, stuck } from './connectWay.ts';
import { findProjectFault } from './keyWords.ts';
import type { Machine } from './machine.ts';

/** The machine's access to Vertex AI, looked up anew each time. */
interface GoogleCloud {
  /** Empty: none is named. */
  readonly project: () => string;
  readonly hasCredentials: () => Promise<boolean>;
}

const signIn = 'gcloud auth application-default login';

/** Gemini's models in a project of the person's: what is missing is asked for or said, one after the other. */
export function vertexWay(
  google: GoogleCloud,
  machine: Machine,
  connection: Connection,
  chosen: ChosenModel,
  questions: ConnectQuestions,
): ConnectWay {
  const noCredentials = stuck(
    `No Google credentials were found on ${machine.name}. Run "${signIn}" in a terminal, then try again.`,
    'signIn',
    'again',
  );
  const askProject = ({ signal }: Attempt) =>
    questions.askText(
      {
        title: 'Google Cloud project',
        prompt: 'Id of the project that Vertex AI works and charges in.',
        value: google.project(),
        findFault: findProjectFault,
      },
      signal,
    );
  const nameProject = async (attempt: Attempt): Promise<Attempted> => {
    const project = (await askProject(attempt))?.trim();
    if (project === undefined) return noProject;
    await chosen.saveProject(project);
    return connect(attempt);
  };
  const connect = async ({ signal, show }: Attempt): Promise<Attempted> => {
    if (!(await google.hasCredentials())) return noCredentials;
    show({ status: 'working', doing: 'Asking Vertex AI for its models…' });
    try {
      const models = await connection.at('vertex', undefined).listModels(signal);
      const trouble = await chosen.saveListed('vertex', models);
      return trouble === undefined ? 'connected' : stuck(trouble, 'again');
    } catch (error) {
      signal.throwIfAborted();
      return stuck(messageOf(error), 'again', 'project', 'signIn');
    }
  };
  const start = (attempt: Attempt) => (google.project() === '' ? nameProject(attempt) : connect(attempt));
  return {
    known: async () => ({
      vertexProject: google.project(),
      hasGoogleCredentials: await google.hasCredentials(),
    }),
    start,
    act: async (action, attempt) => {
      if (action === 'project') return nameProject(attempt);
      if (action !== 'signIn') return start(attempt);
      questions.openTerminal(signIn);
      return signingIn;
    },
  };
}

const noProject = stuck(
  'Vertex AI needs a project at Google Cloud. Name yours, and Folio goes on.',
  'project',
);

const signingIn = stuck(
  'The command stands in the terminal. Press Enter there, sign in, then try again.',
  'again',
  'signIn',
);
