/*
 * Provider for Gemini's and Claude's models in a Google Cloud project; Claude's use another protocol there. Uses the
 * client library's browser build, which differs only in the path. Its Node build, like Anthropic's package for Vertex
 * AI, would add a second way to find credentials.
 */

import { t } from '../../../protocol/language.ts';
import { once } from '../../base/once.ts';
import type { ModelInfo, ModelProvider } from '../../core/model.ts';
import { abilitiesByName } from '../anthropic/abilitiesByName.ts';
import { createMessagesProvider, messagesService } from '../anthropic/anthropicProvider.ts';
import { geminiService } from '../gemini/geminiProvider.ts';
import { openGeminiClient, streamGemini } from '../gemini/geminiService.ts';
import { HistoryEncoder } from '../gemini/historyEncoder.ts';
import {
  findGeminiContextLimit,
  findGeminiEfforts,
  isAgentModel,
  knownGeminiModels,
} from '../gemini/models.ts';
import { offeredEfforts } from '../wire/effort.ts';
import type { ModelService } from '../wire/service.ts';
import { type WireConnection, WireExchange } from '../wire/wireExchange.ts';
import { GoogleCredentials, googleSignInAdvice } from './googleCredentials.ts';
import { findProjectAndLocation, type VertexConnection, vertexEndpoint } from './vertexEndpoint.ts';

const version = 'v1beta1';

export function createVertexProvider(vertex: VertexConnection): ModelProvider {
  const history = new HistoryEncoder();
  const credentials = new GoogleCredentials();
  const readPass = () => credentials.read(findProjectAndLocation(vertex).project);
  /** Connection for one request. @param payer returns the paying project if the credentials name none */
  const gemini = (payer?: () => string): WireConnection => {
    const pass = once(readPass);
    return {
      ...vertex,
      apiKey: async () => (await pass()).token,
      baseUrl: () => vertexEndpoint(vertex),
      sign: async ({ headers }) => {
        const { quotaProject = payer?.() } = await pass();
        return quotaProject === undefined ? headers : { ...headers, 'x-goog-user-project': quotaProject };
      },
      refused: () => credentials.forget(),
    };
  };
  const claude = createMessagesProvider({
    service: claudeOnVertex,
    connection: {
      ...vertex,
      apiKey: async () => (await readPass()).token,
      baseUrl: () => `${vertexEndpoint(vertex)}/v1/${projectPath(vertex)}/publishers/anthropic/models`,
      refused: () => credentials.forget(),
    },
    // The address names the model, and the body holds the version that Anthropic takes in a header.
    send: ({ model, ...body }) => ({
      path: `/${model}:streamRawPredict`,
      body: { ...body, anthropic_version: 'vertex-2023-10-16' },
    }),
    abilities: abilitiesByName,
  });
  return {
    stream: request => {
      if (request.model.startsWith('claude-')) return claude.stream(request);
      const exchange = new WireExchange(geminiOnVertex, gemini(), request.signal, request);
      // The path already names the paying project. A header as well would need a permission that many service accounts
      // lack.
      const entry = () => ({ vertexai: true, apiVersion: `${version}/${projectPath(vertex)}` });
      return streamGemini(exchange, entry, history, request, vertex.newId);
    },
    listModels: signal => {
      // Model lists are public, so the path names no project.
      const connection = gemini(() => findProjectAndLocation(vertex).project);
      const exchange = new WireExchange(geminiOnVertex, connection, signal);
      const known = knownGeminiModels.map(({ id }) => describe(id));
      return exchange.settleList(() => listModels(exchange), known);
    },
  };
}

function projectPath(vertex: VertexConnection): string {
  const { project, location } = findProjectAndLocation(vertex);
  return `projects/${project}/locations/${location}`;
}

/** Google's own models, of all kinds and versions. */
async function listModels(exchange: WireExchange): Promise<readonly ModelInfo[]> {
  const client = await openGeminiClient(exchange, { vertexai: true, apiVersion: version });
  const ids = new Set<string>();
  for await (const { name = '' } of await client.models.list({ config: { pageSize: 100 } })) {
    const id = name.replace(/^.*\bmodels\//, '');
    if (id.startsWith('gemini-') && isAgentModel(id, undefined)) ids.add(id);
  }
  return [...ids].map(describe);
}

function describe(id: string): ModelInfo {
  const label = knownGeminiModels.find(model => model.id === id)?.label ?? id;
  const efforts = offeredEfforts(findGeminiEfforts(id));
  return { id, label, contextLimit: findGeminiContextLimit(id), efforts };
}

const place = {
  ownAddress: 'https://aiplatform.googleapis.com',
  setting: 'folio.vertex.baseUrl',
  variable: 'GOOGLE_VERTEX_BASE_URL',
  excess: /\/v1(beta1?)?(\/(projects|publishers).*)?$/,
  nameOf: () => 'Vertex AI',
  rejected: () => t('Vertex AI rejected the Google credentials. {0}', googleSignInAdvice()),
  keyHeader: (token: string) => ['authorization', `Bearer ${token}`],
} as const satisfies Partial<ModelService>;

export const geminiOnVertex: ModelService = {
  ...geminiService,
  ...place,
  rights: () => t('Check that the Vertex AI API is enabled in the project, your role in it, and its billing'),
};

const claudeOnVertex: ModelService = {
  ...messagesService,
  ...place,
  keptHeaders: ['accept', 'content-type'],
  api: () => t("model of Anthropic's"),
};
