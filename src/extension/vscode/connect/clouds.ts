import { t } from '../../../protocol/language.ts';
import type { ChosenModelWriter } from './chosenModelWriter.ts';
import type { CloudAccount } from './cloudMethod.ts';
import { validateProject, validateRegion } from './keyTexts.ts';
import type { HostMachine } from './machine.ts';

interface CloudAccess {
  /** The project or region; empty if not configured. */
  readonly place: () => string;
  readonly hasCredentials: () => Promise<boolean>;
}

const googleSignIn = 'gcloud auth application-default login';
const amazonSignIn = 'aws sso login';

/** Gemini models in the user's project at Google Cloud. */
export function vertexAi(
  { place, hasCredentials }: CloudAccess,
  { name }: HostMachine,
  chosen: ChosenModelWriter,
): CloudAccount {
  return {
    provider: 'vertex',
    name: 'Vertex AI',
    signIn: googleSignIn,
    placeName: 'project',
    place,
    savePlace: project => chosen.saveProject(project),
    askPlace: {
      title: t('Google Cloud project'),
      prompt: t('Id of the project that Vertex AI works and charges in.'),
      validateInput: validateProject,
    },
    noPlace: t('Vertex AI needs a Google Cloud project. Enter yours to continue.'),
    hasCredentials,
    noCredentials: t(
      'No Google credentials were found on {0}. Run "{1}" in a terminal, then try again.',
      name,
      googleSignIn,
    ),
    known: async () => ({ vertexProject: place(), hasGoogleCredentials: await hasCredentials() }),
  };
}

/** Claude models in the user's AWS account. A Bedrock API key counts as credentials. */
export function bedrock(
  { place, hasCredentials }: CloudAccess,
  { name }: HostMachine,
  chosen: ChosenModelWriter,
): CloudAccount {
  return {
    provider: 'bedrock',
    name: 'Amazon Bedrock',
    signIn: amazonSignIn,
    placeName: 'region',
    place,
    savePlace: region => chosen.saveRegion(region),
    askPlace: {
      title: t('AWS region'),
      prompt: t('The region whose models answer.'),
      validateInput: validateRegion,
    },
    noPlace: t('Amazon Bedrock needs a region. Enter one to continue.'),
    hasCredentials,
    noCredentials: t(
      'No AWS credentials were found on {0}. Sign in with "{1}" or "aws configure" in a terminal, or set AWS_BEARER_TOKEN_BEDROCK, then try again.',
      name,
      amazonSignIn,
    ),
    saveKey: key => chosen.saveKey('bedrock', key),
    known: async () => ({ awsRegion: place(), hasAwsCredentials: await hasCredentials() }),
  };
}
