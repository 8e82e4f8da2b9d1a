/* Steps on the way to a model, as the host tells them. */

import type {
  ChoosingModel,
  ConnectState,
  ConnectStep,
  KnownConnections,
} from '../../src/protocol/panel/connecting.ts';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';

const known: KnownConnections = {
  vscodeModels: 3,
  vertexProject: 'invoices-prod',
  hasGoogleCredentials: true,
  awsRegion: 'eu-central-1',
  hasAwsCredentials: false,
};

export function reported(step?: ConnectStep, ways: KnownConnections = known): ToWebview {
  const connecting: ConnectState = { known: ways, step };
  return { type: 'connect.told', connecting };
}

const list: ChoosingModel = {
  status: 'choosing',
  sources: [
    {
      name: 'Ollama',
      place: '127.0.0.1:11434',
      models: [
        { id: 'o qwen3', label: 'qwen3:14b' },
        { id: 'o gemma', label: 'gemma3:4b' },
        {
          id: 'o long',
          label: 'hf.co/unsloth/Qwen3-Coder-480B-A35B-Instruct-1M-GGUF:UD-Q4_K_XL-00001-of-00006',
        },
      ],
    },
    {
      name: 'LM Studio',
      place: '127.0.0.1:1234',
      models: [],
      problem:
        'LM Studio runs at 127.0.0.1:1234, but it has no model. Download and load one in LM Studio, then search again.',
    },
  ],
  actions: ['again', 'address'],
};

export const steps = {
  scanning: {
    way: 'server',
    status: 'working',
    doing: 'Checking the ports 11434, 1234, 8080 and 8000 of this machine…',
  },
  nothing: {
    way: 'server',
    status: 'stuck',
    problem:
      'No model server found on the ports 11434, 1234, 8080 and 8000 of this machine. Start your server, then search again, or type its address.',
    actions: ['again', 'address'],
  },
  choosing: { way: 'server', ...list },
  trying: { way: 'server', ...list, trying: 'o gemma' },
  refused: {
    way: 'server',
    ...list,
    refused: {
      id: 'o gemma',
      problem: 'The model "gemma3:4b" cannot call tools, which Folio needs. Choose another model.',
    },
  },
  many: {
    way: 'server',
    ...list,
    sources: [
      {
        name: 'Models',
        place: 'gateway.example.com',
        models: Array.from({ length: 60 }, (_, at) => ({
          id: `m ${at}`,
          label: `vendor-${at % 7}/model-${at}`,
        })),
      },
    ],
  },
  wrongKey: {
    way: 'gemini',
    status: 'stuck',
    problem:
      'Gemini rejected this API key. Copy the full key from aistudio.google.com/apikey, and try again.',
    actions: ['key'],
  },
  azure: {
    way: 'azure',
    status: 'asking',
    what: 'The deployment gpt-5.1 at invoices.openai.azure.com takes a key of the resource, or your Microsoft account.',
    actions: ['key', 'account', 'deployment', 'address'],
  },
  azureRefused: {
    way: 'azure',
    status: 'stuck',
    problem:
      'invoices.openai.azure.com denies access to your Microsoft account. Ask for the role Cognitive Services OpenAI User there, or type a key.',
    actions: ['key', 'account', 'deployment', 'address'],
  },
  noCredentials: {
    way: 'vertex',
    status: 'stuck',
    problem:
      'No Google credentials were found on this machine. Run "gcloud auth application-default login" in a terminal, then try again.',
    actions: ['signIn', 'again'],
  },
} as const satisfies Readonly<Record<string, ConnectStep>>;
