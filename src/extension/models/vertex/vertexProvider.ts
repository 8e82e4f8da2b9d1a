import { ModelError, type ModelInfo, type ModelProvider } from '../../core/model.ts';
import { askGemini, type Entry, type GeminiService, streamGemini } from '../gemini/geminiService.ts';
import { HistoryJson } from '../gemini/historyJson.ts';
import { findGeminiContextLimit, findGeminiEfforts, isForAgents, knownModels } from '../gemini/models.ts';
import { offeredEfforts } from '../wire/effort.ts';
import { createClaudeOnVertex, isClaude } from './claudeOnVertex.ts';
import { GoogleCredentials } from './googleCredentials.ts';
import { addressOf, findPlace, type Place, type VertexConnection } from './vertexPlace.ts';
import { vertexWords } from './vertexWords.ts';

/**
 * Gemini's models in a project at Google Cloud, and Claude's, which have a wire of their own there. The client library's build for browsers serves here too, told apart
 * only by the path; its build for Node would bring a second way of finding credentials.
 */
export function createVertexProvider(connection: VertexConnection): ModelProvider {
  const history = new HistoryJson();
  const credentials = new GoogleCredentials();
  const { newId, transport, clock } = connection;
  const shared = { words: vertexWords, newId, transport, clock };
  const claude = createClaudeOnVertex(connection, credentials);
  const answers: GeminiService = { ...shared, enter: () => enter(connection, credentials, inProject) };
  const lists: GeminiService = { ...shared, enter: () => enter(connection, credentials, forAll) };
  return {
    stream: request =>
      isClaude(request.model) ? claude.stream(request) : streamGemini(answers, history, request),
    listModels: signal => listModels(lists, signal),
  };
}

const version = 'v1beta1';

/** A path of the service, and who pays where the credentials do not say so. */
interface Scope {
  readonly path: string;
  readonly payer?: string;
}

/** The path names who pays. Naming them once more would need a permission that many service accounts lack. */
function inProject({ project, location }: Place): Scope {
  return { path: `${version}/projects/${project}/locations/${location}` };
}

/** Models are listed for all, so that the path names nobody. */
function forAll({ project }: Place): Scope {
  return { path: version, payer: project };
}

async function enter(
  connection: VertexConnection,
  credentials: GoogleCredentials,
  scopeOf: (place: Place) => Scope,
): Promise<Entry> {
  const place = findPlace(connection);
  const { path, payer } = scopeOf(place);
  const { token, quotaProject = payer } = await credentials.read(place.project);
  return {
    // The client wants a key; a token is sent in its place.
    apiKey: 'none',
    headers: {
      'x-goog-api-key': null,
      authorization: `Bearer ${token}`,
      'x-goog-user-project': quotaProject ?? null,
    },
    vertexai: true,
    apiVersion: path,
    baseUrl: addressOf(place, connection),
    secret: token,
    refused: () => credentials.forget(),
  };
}

/** A user who may ask a model may not be allowed to list them; then the known ones are offered. */
async function listModels(service: GeminiService, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  try {
    const ids = await listIds(service, signal);
    return ids.length > 0 ? ids.map(describe) : known();
  } catch (error) {
    const isClosed = error instanceof ModelError && /^(forbidden|notFound|badRequest)$/.test(error.kind);
    if (!isClosed || error.status === undefined) throw error;
    return known();
  }
}

/** Google's own models, of all kinds and in all versions. */
function listIds(service: GeminiService, signal: AbortSignal): Promise<readonly string[]> {
  return askGemini(service, signal, async (client, abortSignal) => {
    const ids = new Set<string>();
    const pages = await client.models.list({ config: { pageSize: 100, abortSignal } });
    for await (const { name = '' } of pages) {
      const id = name.replace(/^.*\bmodels\//, '');
      if (id.startsWith('gemini-') && isForAgents(id, undefined)) ids.add(id);
    }
    return [...ids];
  });
}

function known(): readonly ModelInfo[] {
  return knownModels.map(({ id }) => describe(id));
}

function describe(id: string): ModelInfo {
  const label = knownModels.find(model => model.id === id)?.label ?? id;
  const efforts = offeredEfforts(findGeminiEfforts(id));
  return { id, label, contextLimit: findGeminiContextLimit(id), efforts };
}
