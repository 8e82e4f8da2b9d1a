/* The clouds of other companies, in which a person may have models. */

import type { ChosenModel } from './chosenModel.ts';
import type { Cloud } from './cloudWay.ts';
import { findProjectFault, findRegionFault } from './keyWords.ts';
import type { Machine } from './machine.ts';

/** The machine's access to a cloud. */
export interface CloudAccess {
  /** The project or region; empty: none is named. */
  readonly place: () => string;
  readonly hasCredentials: () => Promise<boolean>;
}

const googleSignIn = 'gcloud auth application-default login';
const amazonSignIn = 'aws sso login';

/** Gemini's models in a project of the person's at Google Cloud. */
export function vertexAi(
  { place, hasCredentials }: CloudAccess,
  { name }: Machine,
  chosen: ChosenModel,
): Cloud {
  return {
    provider: 'vertex',
    name: 'Vertex AI',
    signIn: googleSignIn,
    placeName: 'project',
    place,
    savePlace: project => chosen.saveProject(project),
    askPlace: {
      title: 'Google Cloud project',
      prompt: 'Id of the project that Vertex AI works and charges in.',
      findFault: findProjectFault,
    },
    noPlace: 'Vertex AI needs a project at Google Cloud. Name yours, and Folio goes on.',
    hasCredentials,
    noCredentials: `No Google credentials were found on ${name}. Run "${googleSignIn}" in a terminal, then try again.`,
    known: async () => ({ vertexProject: place(), hasGoogleCredentials: await hasCredentials() }),
  };
}

/** Claude's models in the person's account at Amazon, where a key of Bedrock's own counts as credentials. */
export function bedrock(
  { place, hasCredentials }: CloudAccess,
  { name }: Machine,
  chosen: ChosenModel,
): Cloud {
  return {
    provider: 'bedrock',
    name: 'Amazon Bedrock',
    signIn: amazonSignIn,
    placeName: 'region',
    place,
    savePlace: region => chosen.saveRegion(region),
    askPlace: {
      title: 'AWS region',
      prompt: 'The region whose models answer.',
      findFault: findRegionFault,
    },
    noPlace: 'Amazon Bedrock needs a region. Name one, and Folio goes on.',
    hasCredentials,
    noCredentials: `No AWS credentials were found on ${name}. Sign in with "${amazonSignIn}" or "aws configure" in a terminal, or set AWS_BEARER_TOKEN_BEDROCK, then try again.`,
    saveKey: key => chosen.saveKey('bedrock', key),
    known: async () => ({ awsRegion: place(), hasAwsCredentials: await hasCredentials() }),
  };
}
