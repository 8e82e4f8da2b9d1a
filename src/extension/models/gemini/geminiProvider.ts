import { ModelError, type ModelInfo, type ModelProvider } from '../../core/model.ts';
import type { Transport } from '../../platform/transport.ts';
import type { AlarmClock } from '../wire/boundedFetch.ts';
import { offeredEfforts } from '../wire/effort.ts';
import { type Entry, type GeminiService, listGemini, streamGemini } from './geminiService.ts';
import { HistoryJson } from './historyJson.ts';
import { findContextLimit, findGeminiEfforts, isForAgents } from './models.ts';
import { geminiWords } from './serviceWords.ts';

interface GeminiConnection {
  /** Asked for at each request, so that a new key counts at once. May reject. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Empty: Gemini's own address. */
  readonly baseUrl: () => string;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock;
  /** Carries the requests; over `fetch` unless it is given. */
  readonly transport?: Transport | undefined;
}

const ownAddress = 'https://generativelanguage.googleapis.com';

export function createGeminiProvider(connection: GeminiConnection): ModelProvider {
  const history = new HistoryJson();
  const { newId, clock, transport } = connection;
  const service: GeminiService = {
    words: geminiWords,
    newId,
    clock,
    transport,
    shelf: 'models',
    enter: () => enter(connection),
  };
  return {
    stream: request => streamGemini(service, history, request),
    listModels: signal => listModels(service, signal),
  };
}

async function enter(connection: GeminiConnection): Promise<Entry> {
  const apiKey = (await connection.apiKey())?.trim();
  if (!apiKey) throw missingKey();
  // Sending it would fail with an error that quotes it.
  if (!/^[!-~]+$/.test(apiKey)) throw new ModelError('auth', geminiWords.broken, { retryable: false });
  const address = connection.baseUrl().trim().replace(/\/+$/, '');
  const headers = { 'x-goog-api-key': apiKey };
  return { url: `${address || ownAddress}/v1beta`, address, headers, secret: apiKey };
}

async function listModels(service: GeminiService, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const listed = await listGemini(service, 1000, signal);
  return listed.flatMap(({ name = '', displayName, inputTokenLimit, supportedGenerationMethods }) => {
    const id = name.replace(/^models\//, '');
    if (!id || !isForAgents(id, supportedGenerationMethods)) return [];
    const contextLimit = inputTokenLimit ?? findContextLimit(id);
    const efforts = offeredEfforts(findGeminiEfforts(id));
    return [{ id, label: displayName || id, contextLimit, efforts }];
  });
}

function missingKey(): ModelError {
  const remedy = 'Run "Folio: Set API Key", or set GEMINI_API_KEY.';
  return new ModelError('auth', `No Gemini API key is set. ${remedy}`, { retryable: false });
}
