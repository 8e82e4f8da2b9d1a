import type { ConnectAction, ConnectStep, ConnectWay, KnownWays } from '../../protocol/panel/connecting.ts';
import { plural } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';

export interface WayWords {
  readonly way: ConnectWay;
  readonly icon: IconName;
  readonly title: string;
  /** Says in a few words what is known of it. */
  readonly describe: (known: KnownWays) => string;
}

/** In the order in which they are offered. */
export const ways: readonly WayWords[] = [
  {
    way: 'gemini',
    icon: 'key',
    title: 'Gemini API key',
    describe: () => "Tried at once, kept in VS Code's secret storage",
  },
  {
    way: 'anthropic',
    icon: 'key',
    title: 'Anthropic API key',
    describe: () => "Claude's models; tried and kept in the same way",
  },
  {
    way: 'openai-responses',
    icon: 'key',
    title: 'OpenAI API key',
    describe: () => 'GPT models; tried and kept in the same way',
  },
  { way: 'vscode', icon: 'extensions', title: 'Models in VS Code', describe: describeVscode },
  {
    way: 'server',
    icon: 'server',
    title: 'Model server',
    describe: () => 'Ollama, LM Studio, llama.cpp or vLLM on this machine; looked for when you press',
  },
  { way: 'vertex', icon: 'cloud', title: 'Vertex AI', describe: describeVertex },
  { way: 'bedrock', icon: 'cloud', title: 'Amazon Bedrock', describe: describeBedrock },
  {
    way: 'rehearsal',
    icon: 'debug-start',
    title: 'Rehearsal',
    describe: () => 'A script answers; it needs no key, and nothing leaves this machine',
  },
];

function describeVscode({ vscodeModels }: KnownWays): string {
  if (vscodeModels === undefined) return 'Those that other extensions offer';
  if (vscodeModels === 0) return 'No extension offers one yet';
  return `Other extensions offer ${plural(vscodeModels, 'model')}`;
}

function describeVertex({ vertexProject, hasGoogleCredentials }: KnownWays): string {
  if (vertexProject === undefined || hasGoogleCredentials === undefined) {
    return 'Gemini in a project of yours at Google Cloud';
  }
  if (vertexProject === '') {
    return hasGoogleCredentials
      ? 'Google credentials found, no project named yet'
      : 'Needs a project and Google credentials';
  }
  return hasGoogleCredentials
    ? `Project ${vertexProject}, Google credentials found`
    : `Project ${vertexProject}, no Google credentials yet`;
}

function describeBedrock({ awsRegion, hasAwsCredentials }: KnownWays): string {
  if (awsRegion === undefined || hasAwsCredentials === undefined)
    return "Claude's models in your account at Amazon";
  const found = hasAwsCredentials ? 'AWS credentials found' : 'no AWS credentials yet';
  if (awsRegion !== '') return `Region ${awsRegion}, ${found}`;
  return hasAwsCredentials
    ? 'AWS credentials found, no region named yet'
    : 'Needs a region and AWS credentials';
}

export function labelOf(action: ConnectAction, way: ConnectWay): string {
  switch (action) {
    case 'again':
      return way === 'server' || way === 'vscode' ? 'Look again' : 'Try again';
    case 'address':
      return 'Type an address…';
    case 'key':
      return 'Type the key…';
    case 'project':
      return 'Name the project…';
    case 'region':
      return 'Name the region…';
    case 'signIn':
      return 'Open a terminal';
    case 'extensions':
      return 'Find extensions';
  }
}

/** The announcement of a step for a screen reader. */
export function sayStep(step: ConnectStep | undefined): string {
  switch (step?.status) {
    case undefined:
      return '';
    case 'working':
      return step.doing;
    case 'stuck':
      return step.trouble;
    case 'choosing': {
      if (step.trying !== undefined) return 'Trying the model…';
      if (step.refused) return step.refused.trouble;
      const count = step.sources.reduce((sum, { models }) => sum + models.length, 0);
      return `${plural(count, 'model')} to choose from`;
    }
  }
}
