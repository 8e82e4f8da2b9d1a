import { t } from '../../../protocol/language.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';

/** Where a program for running models listens unless it is told otherwise. */
export interface LocalPlace {
  readonly name: string;
  readonly port: number;
  /** How it gets a model. */
  readonly getModel: () => string;
}

export const localPlaces: readonly LocalPlace[] = [
  {
    name: 'Ollama',
    port: 11434,
    getModel: () => t('Get one in a terminal with "ollama pull qwen3", then search again.'),
  },
  {
    name: 'LM Studio',
    port: 1234,
    getModel: () => t('Download and load one in LM Studio, then search again.'),
  },
  {
    name: 'llama.cpp',
    port: 8080,
    getModel: () => t('Start llama-server with one (-m FILE or -hf NAME), then search again.'),
  },
  {
    name: 'vLLM',
    port: 8000,
    getModel: () => t('Start it with "vllm serve NAME", then search again.'),
  },
];

export type FoundServer = { readonly place: LocalPlace; readonly address: string } & (
  | { readonly kind: 'models'; readonly models: readonly ModelInfo[] }
  | { readonly kind: 'noModels' }
  | { readonly kind: 'wantsKey' }
  /** Something answers, or takes the question and says nothing, but it is no model server. */
  | { readonly kind: 'stranger' }
);

export type ListModels = (address: string, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/** A server that runs answers at once; one that hangs must not keep the user. */
const limitMs = 5_000;

/**
 * Asks all places at once, on this machine only (127.0.0.1), which models they have. Places where nothing listens are
 * left out. Rejects only when `signal` is aborted.
 */
export async function findLocalServers(
  places: readonly LocalPlace[],
  list: ListModels,
  signal: AbortSignal,
  limit = limitMs,
): Promise<readonly FoundServer[]> {
  const answers = await Promise.all(places.map(place => askPlace(place, list, signal, limit)));
  signal.throwIfAborted();
  return answers.filter(answer => answer !== undefined);
}

async function askPlace(
  place: LocalPlace,
  list: ListModels,
  signal: AbortSignal,
  limit: number,
): Promise<FoundServer | undefined> {
  const address = `http://127.0.0.1:${place.port}/v1`;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  try {
    const models = await list(address, bounded);
    return models.length > 0
      ? { kind: 'models', place, address, models }
      : { kind: 'noModels', place, address };
  } catch (error) {
    const kind = error instanceof ModelError ? error.kind : 'unknown';
    if (kind === 'network') return undefined;
    return { kind: kind === 'auth' ? 'wantsKey' : 'stranger', place, address };
  }
}
