import type { ModelError, ModelProvider } from '../model.ts';

/**
 * Whether a model answers a request as Folio sends them, with a tool declared: a server that runs, lists a model and
 * takes the key may still refuse that. Left at the first sign of life, so that it costs next to nothing. Gives what went
 * wrong; never rejects.
 */
export async function tryModel(
  provider: ModelProvider,
  model: string,
  signal: AbortSignal,
): Promise<ModelError | undefined> {
  const left = new AbortController();
  const request = { ...trial, model, signal: AbortSignal.any([signal, left.signal]) };
  try {
    for await (const event of provider.stream(request)) {
      if (event.type !== 'end') return undefined;
      if (!event.end.ok) return event.end.error;
    }
    return undefined;
  } finally {
    left.abort();
  }
}

const trial = {
  system: '',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Answer with the one word: yes' }] }],
  tools: [
    {
      name: 'look',
      description: 'Looks at a file. It is not needed for this answer.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
} as const;
