import type { ModelError, ModelProvider } from '../model.ts';

/**
 * Finds out whether a model answers requests like Folio's, with a tool declared: a server that runs, lists the model
 * and takes the key may still refuse that. The answer is dropped at the first sign of life, so the test costs next to
 * nothing. Resolves with what went wrong; never rejects.
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
