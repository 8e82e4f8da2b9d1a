import { t } from '../../../protocol/language.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';

/** Default address of a program that serves local models. */
export interface LocalModelServer {
  readonly name: string;
  readonly port: number;
  /** How to download a model with it. */
  readonly getModel: () => string;
}

export const localModelServers: readonly LocalModelServer[] = [
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

export type FoundModelServer = { readonly place: LocalModelServer; readonly address: string } & (
  | { readonly kind: 'models'; readonly models: readonly ModelInfo[] }
  | { readonly kind: 'noModels' }
  | { readonly kind: 'wantsKey' }
  /** Something listens there but is not a model server, or does not answer. */
  | { readonly kind: 'stranger' }
);

export type ListModels = (address: string, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/** A running server answers at once. One that hangs must not delay the user. */
const limitMs = 5_000;

/**
 * Queries all addresses concurrently for their models, only on this machine (127.0.0.1). Leaves out addresses where
 * nothing listens. Rejects only when `signal` aborts.
 */
export async function findLocalServers(
  places: readonly LocalModelServer[],
  list: ListModels,
  signal: AbortSignal,
  limit = limitMs,
): Promise<readonly FoundModelServer[]> {
  const answers = await Promise.all(places.map(place => askPlace(place, list, signal, limit)));
  signal.throwIfAborted();
  return answers.filter(answer => answer !== undefined);
}

async function askPlace(
  place: LocalModelServer,
  list: ListModels,
  signal: AbortSignal,
  limit: number,
): Promise<FoundModelServer | undefined> {
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
