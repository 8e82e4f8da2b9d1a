import { ModelError, type ModelInfo, type ModelProvider } from '../../core/model.ts';
import { askGemini, type Entry, type GeminiService, streamGemini } from '../gemini/geminiService.ts';
import { HistoryJson } from '../gemini/historyJson.ts';
import { findContextLimit, findGeminiEfforts, isForAgents, knownModels } from '../gemini/models.ts';
import type { AlarmClock } from '../wire/boundedFetch.ts';
import { offeredEfforts } from '../wire/effort.ts';
import { GoogleCredentials } from './googleCredentials.ts';
import { vertexWords } from './vertexWords.ts';

export interface VertexConnection {
  /** Id of the Google Cloud project that pays. Empty: none is set. */
  readonly project: () => string;
  /** Where the model runs, for example `europe-west1`; empty: `global`. */
  readonly location: () => string;
  /** Empty: the address of the location. */
  readonly baseUrl: () => string;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock;
}

/**
 * Gemini's models in a project at Google Cloud. The client library's build for browsers serves here too, told apart
 * only by the path; its build for Node would bring a second way of finding credentials.
 */
export function createVertexProvider(connection: VertexConnection): ModelProvider {
  const history = new HistoryJson();
  const credentials = new GoogleCredentials();
  const { newId, clock } = connection;
  const shared = { words: vertexWords, newId, clock };
  const answers: GeminiService = { ...shared, enter: () => enter(connection, credentials, inProject) };
  const lists: GeminiService = { ...shared, enter: () => enter(connection, credentials, forAll) };
  return {
    stream: request => streamGemini(answers, history, request),
    listModels: signal => listModels(lists, signal),
  };
}

interface Place {
  readonly project: string;
  readonly location: string;
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
    baseUrl: connection.baseUrl().trim() || addressOf(place.location),
    secret: token,
    refused: () => credentials.forget(),
  };
}

/** Both become part of the address, so they must be nothing but names. */
function findPlace(connection: VertexConnection): Place {
  const project = connection.project().trim();
  const location = connection.location().trim() || 'global';
  if (project === '') {
    throw settingTrouble('No Google Cloud project is set. Set folio.vertex.project to the id of yours.');
  }
  if (!/^[a-z0-9][a-z0-9.:-]*$/i.test(project)) {
    throw settingTrouble('The Google Cloud project is no id of a project. Correct folio.vertex.project.');
  }
  if (!/^[a-z0-9-]+$/.test(location)) {
    throw settingTrouble('The location of Vertex AI is no location. Correct folio.vertex.location.');
  }
  return { project, location };
}

/** By the documentation of Vertex AI's endpoints. */
function addressOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

/** A person who may ask a model may not be allowed to list them; then the known ones are offered. */
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
  return { id, label, contextLimit: findContextLimit(id), efforts };
}

function settingTrouble(message: string): ModelError {
  return new ModelError('badRequest', message, { retryable: false });
}
