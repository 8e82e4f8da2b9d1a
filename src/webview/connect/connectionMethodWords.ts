import { plural, t } from '../../protocol/language.ts';
import type {
  ConnectAction,
  ConnectionMethodName,
  ConnectStep,
  KnownConnections,
} from '../../protocol/panel/connecting.ts';
import type { Environment } from '../../protocol/panel/messages.ts';
import type { IconName } from '../ui/icons.ts';

export interface ConnectionMethodWords {
  readonly way: ConnectionMethodName;
  readonly icon: IconName;
  readonly title: string;
  /** Describes known facts in a few words. */
  readonly describe: (known: KnownConnections) => string;
  readonly keyPage?: string;
}

/** Ways to connect, in the order of the list. */
export const connectionMethods = (): readonly ConnectionMethodWords[] => [
  {
    way: 'gemini',
    icon: 'key',
    title: t('Gemini API key'),
    describe: () => t('Checked immediately, stored securely by VS Code'),
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    way: 'anthropic',
    icon: 'key',
    title: t('Anthropic API key'),
    describe: () => t('Claude models. Checked immediately, stored securely by VS Code'),
    keyPage: 'https://platform.claude.com/settings/keys',
  },
  {
    way: 'openai-responses',
    icon: 'key',
    title: t('OpenAI API key'),
    describe: () => t('GPT models. Checked immediately, stored securely by VS Code'),
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    way: 'rehearsal',
    icon: 'debug-start',
    title: t('Rehearsal'),
    describe: () => t('A script answers; it needs no key, and nothing leaves this machine'),
  },
  { way: 'azure', icon: 'cloud', title: 'Azure OpenAI', describe: describeAzure },
  { way: 'vscode', icon: 'extensions', title: t('Models in VS Code'), describe: describeVscode },
  {
    way: 'server',
    icon: 'server',
    title: t('Model server'),
    describe: () => t('Ollama, LM Studio, llama.cpp or vLLM on this computer (detected when you click)'),
  },
  { way: 'vertex', icon: 'cloud', title: 'Vertex AI', describe: describeVertex },
  { way: 'bedrock', icon: 'cloud', title: 'Amazon Bedrock', describe: describeBedrock },
];

/** Returns the way that is connected. */
export function findConnected(
  { connection, provider = 'gemini' }: Pick<Environment, 'connection' | 'provider'>,
  { azureHost = '' }: KnownConnections,
): ConnectionMethodName | undefined {
  if (connection === 'none') return undefined;
  if (connection === 'rehearsal') return 'rehearsal';
  if (provider === 'openai') return 'server';
  return provider === 'openai-responses' && azureHost !== '' ? 'azure' : provider;
}

function describeVscode({ vscodeModels }: KnownConnections): string {
  if (vscodeModels === undefined) return t('Models from other extensions');
  if (vscodeModels === 0) return t('None available yet');
  return plural(
    vscodeModels,
    'one: Other extensions offer {0} model | other: Other extensions offer {0} models',
  );
}

function describeAzure({ azureHost = '' }: KnownConnections): string {
  return azureHost === ''
    ? t('Your Azure OpenAI resource (key or Microsoft account)')
    : t('Your resource {0}', azureHost);
}

function describeVertex({ vertexProject, hasGoogleCredentials }: KnownConnections): string {
  if (vertexProject === undefined || hasGoogleCredentials === undefined) {
    return t('Gemini in your Google Cloud project');
  }
  if (vertexProject === '') {
    return hasGoogleCredentials
      ? t('Google credentials found, no project named yet')
      : t('Needs a project and Google credentials');
  }
  return hasGoogleCredentials
    ? t('Project {0}, Google credentials found', vertexProject)
    : t('Project {0}, no Google credentials yet', vertexProject);
}

function describeBedrock({ awsRegion, hasAwsCredentials }: KnownConnections): string {
  if (awsRegion === undefined || hasAwsCredentials === undefined)
    return t('Claude models in your AWS account');
  if (awsRegion !== '')
    return hasAwsCredentials
      ? t('Region {0}, AWS credentials found', awsRegion)
      : t('Region {0}, no AWS credentials yet', awsRegion);
  return hasAwsCredentials
    ? t('AWS credentials found, no region named yet')
    : t('Needs a region and AWS credentials');
}

export function actionLabel(action: ConnectAction, way: ConnectionMethodName): string {
  switch (action) {
    case 'again':
      return way === 'server' || way === 'vscode' ? t('Search again') : t('Try again');
    case 'address':
      return t('Type an address…');
    case 'key':
      return t('Type the key…');
    case 'deployment':
      return t('Name the deployment…');
    case 'account':
      return t('Use my Microsoft account');
    case 'project':
      return t('Name the project…');
    case 'region':
      return t('Name the region…');
    case 'signIn':
      return t('Open a terminal');
    case 'extensions':
      return t('Find extensions');
  }
}

/** Returns the screen reader announcement of a step. */
export function stepAnnouncement(step: ConnectStep | undefined): string {
  switch (step?.status) {
    case undefined:
      return '';
    case 'working':
      return step.doing;
    case 'asking':
      return step.what;
    case 'stuck':
      return step.problem;
    case 'choosing': {
      if (step.trying !== undefined) return t('Trying the model…');
      if (step.refused) return step.refused.problem;
      const count = step.sources.reduce((sum, { models }) => sum + models.length, 0);
      return plural(count, 'one: {0} model to choose from | other: {0} models to choose from');
    }
  }
}
